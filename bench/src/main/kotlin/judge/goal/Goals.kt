package threadgauge.judge.goal

import threadgauge.model.Record
import threadgauge.model.SloGoal
import threadgauge.model.demand
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalBasis
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.stats.MIN_TRIALS

/** The goals of [record] for each stack. [situations] are all judged ones. */
internal fun judgeGoals(record: Record, situations: List<SituationJudgement>): List<GoalJudgement> =
    situations.flatMap { judged ->
        val name = judged.situation.name
        val goals = record.plan.experiment.goals[name]?.goals.orEmpty()
        judged.cells.flatMap { cell -> goals.map { judgeGoal(record, name, cell, it) } }
    }

private fun judgeGoal(record: Record, situation: String, cell: CellJudgement, goal: SloGoal): GoalJudgement {
    val samples = GoalSamples.of(record, cell.stack, situation)
    val figure = samples.figure(goal)
    val obstacle = obstacle(cell, goal, samples, figure)
    if (obstacle != null) {
        return GoalJudgement(situation, cell.stack, goal, GoalVerdict.CANNOT_TELL, obstacle, figure)
    }
    val (verdict, basis) = verdict(goal, figure!!)
    // What is left of a stack that failed in a trial is what went well.
    val failed = cell.doubts.filter { (it.facts as? LoadDoubt.NotMeasured)?.failure != null }
    if (verdict == GoalVerdict.KEPT && failed.isNotEmpty()) {
        val invalid = GoalBasis.InvalidFigures(failed)
        return GoalJudgement(situation, cell.stack, goal, GoalVerdict.CANNOT_TELL, invalid, figure)
    }
    val agent = cell.doubts.filter { verdict == GoalVerdict.BROKEN && it.mayHaveBroken(goal, figure) }
    if (agent.isEmpty()) return GoalJudgement(situation, cell.stack, goal, verdict, basis, figure)
    val limited = GoalBasis.AgentLimited(agent)
    return GoalJudgement(situation, cell.stack, goal, GoalVerdict.CANNOT_TELL, limited, figure)
}

/** Why there can be no verdict; null where there can. */
private fun obstacle(cell: CellJudgement, goal: SloGoal, samples: GoalSamples, figure: Figure?): GoalBasis? {
    if (figure == null && samples.isEmpty) return GoalBasis.NotMeasured
    val invalid = cell.doubts.filter { doubt ->
        doubt.validity == Validity.INVALID && !(goal.demand is SloGoal.Errors && doubt.id in OF_FAILURES)
    }
    if (invalid.isNotEmpty()) return GoalBasis.InvalidFigures(invalid)
    val latency = goal.demand as? SloGoal.Latency
    val answers = samples.answers(goal)
    if (latency != null && answers < latency.measure.enough) {
        return GoalBasis.TooFewAnswers(answers, latency.measure.enough)
    }
    return if (figure == null) GoalBasis.NotMeasured else null
}

/** By the interval of [figure] where it has one, which it has from [MIN_TRIALS] trials on. */
internal fun verdict(goal: SloGoal, figure: Figure): Pair<GoalVerdict, GoalBasis> {
    if ((goal.demand as? SloGoal.Errors)?.maxShare == 0.0) {
        // "None" is about observations: no number of requests shows that none ever fails.
        val isKept = figure.values.all { it == 0.0 }
        return (if (isKept) GoalVerdict.KEPT else GoalVerdict.BROKEN) to GoalBasis.Counted
    }
    val (low, high) = figure.low to figure.high
    if (low == null || high == null) {
        val isKept = goal.allows(figure.value)
        return (if (isKept) GoalVerdict.KEPT else GoalVerdict.BROKEN) to
            GoalBasis.FigureAlone(figure.values.size, MIN_TRIALS)
    }
    val verdict = when {
        goal.allows(low) && goal.allows(high) -> GoalVerdict.KEPT
        !goal.allows(low) && !goal.allows(high) -> GoalVerdict.BROKEN
        else -> GoalVerdict.CANNOT_TELL
    }
    return verdict to GoalBasis.ByInterval
}

/** A value exactly at the limit keeps the goal, because measurements are not that exact. */
private fun SloGoal.allows(value: Double): Boolean = when (this) {
    is SloGoal.Latency -> value <= maxMicros
    is SloGoal.Errors -> value <= maxShare
    is SloGoal.Throughput -> value >= minPerSecond
    is SloGoal.OfStep -> goal.allows(value)
}

/**
 * [goal] was missed, but perhaps only because of the load agent: it was near its own ceiling, or it sent requests late
 * by as much as the latency is beyond the limit.
 */
private fun Doubt.mayHaveBroken(goal: SloGoal, figure: Figure): Boolean = when (val found = facts) {
    is AgentDoubt.NearItsCeiling -> goal.demand !is SloGoal.Errors
    is AgentDoubt.SentLate -> (goal.demand as? SloGoal.Latency)?.let { latency ->
        (figure.low ?: figure.value) - found.p99Micros <= latency.maxMicros
    } ?: false
    else -> false
}

/**
 * Doubts that failures bring about. They make other figures doubtful, but failures are the error rate itself. Little's
 * law does not hold where many fail, because latencies are those of correct answers.
 */
private val OF_FAILURES =
    setOf(DoubtId.FAILURES, DoubtId.LITTLES_LAW, DoubtId.SHORT_WINDOW, DoubtId.LEFT_OVER)

package threadgauge.wording.goal

import threadgauge.model.SloGoal
import threadgauge.model.demand
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalBasis
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.notation
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.doubt.seen
import threadgauge.wording.percent

/** "kept", "broken", "cannot tell". */
internal val GoalVerdict.words: String
    get() = when (this) {
        GoalVerdict.KEPT -> "kept"
        GoalVerdict.BROKEN -> "broken"
        GoalVerdict.CANNOT_TELL -> "cannot tell"
    }

/** As [GoalVerdict.words], with a mark where there is no interval. */
internal val GoalJudgement.verdictWords: String
    get() = if (isIndicative) "${verdict.words}, indicative" else verdict.words

/** A sentence for a reader who sees nothing else: stack, situation, goal, verdict, figure and reason. */
internal fun GoalJudgement.words(): String {
    val what = "$stack in $situation, goal ${goal.notation()}: ${verdict.words}."
    return listOfNotNull(what, measured()?.let { "Measured $it." }, why()).joinToString(" ")
}

/** "210 ms (198 ms to 224 ms)"; null where nothing was measured. */
internal fun GoalJudgement.measured(): String? {
    val figure = figure ?: return null
    return goal.text(figure.value) + (figure.intervalOf(goal)?.let { " ($it)" }.orEmpty())
}

/** "198 ms to 224 ms"; null where there is no interval. */
internal fun Figure.intervalOf(goal: SloGoal): String? {
    val from = low ?: return null
    val to = high ?: return null
    return if (from == to) "in every trial" else "${goal.text(from)} to ${goal.text(to)}"
}

/** [value], in the unit of the goal's limit, for readers. */
internal fun SloGoal.text(value: Double): String = when (this) {
    is SloGoal.Latency -> when {
        value < 1e3 -> "${digits(value)} µs"
        value < 1e6 -> "${digits(value / 1e3)} ms"
        else -> "${digits(value / 1e6)} s"
    }
    is SloGoal.Errors -> percent(value)
    is SloGoal.Throughput -> "${digits(value)}/s"
    is SloGoal.OfStep -> goal.text(value)
}

/** Why the verdict is not as sure as others, or why there is none; null for a verdict by an interval. */
internal fun GoalJudgement.why(): String? = when (val basis = basis) {
    GoalBasis.ByInterval ->
        if (verdict == GoalVerdict.CANNOT_TELL) "The interval includes the limit." else null
    GoalBasis.Counted -> if (verdict == GoalVerdict.KEPT) "No request failed." else "At least one request failed."
    is GoalBasis.FigureAlone ->
        "Indicative: ${counted(basis.trials.toLong(), "trial")}, and an interval needs ${basis.needed}."
    GoalBasis.NotMeasured -> "Not measured."
    is GoalBasis.InvalidFigures -> "The figures are invalid: ${basis.doubts.joinToString("; ") { it.seen }}."
    is GoalBasis.AgentLimited ->
        "The cause may be the load agent: ${basis.doubts.joinToString("; ") { it.seen }}."
    is GoalBasis.TooFewAnswers ->
        "Only ${counted(basis.answers, "answer")}; ${goal.demand.notation().substringBefore('<')} needs " +
            "${counted(basis.needed.toLong(), "answer")}."
}

/** "3 kept, 1 broken, 2 cannot tell", without what there is none of. */
internal fun List<GoalJudgement>.summary(): String = GoalVerdict.entries
    .map { verdict -> count { it.verdict == verdict } to verdict.words }
    .filter { (count, _) -> count > 0 }.joinToString(", ") { (count, words) -> "$count $words" }

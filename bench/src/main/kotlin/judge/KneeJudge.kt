package threadgauge.judge

import threadgauge.model.JudgedProbe
import threadgauge.model.Knee
import threadgauge.model.KneeJudgement
import threadgauge.model.KneeOutcome
import threadgauge.model.KneeQuestion
import threadgauge.model.ProbeOutcome
import threadgauge.model.Record
import threadgauge.model.Repeat
import threadgauge.model.RepeatState
import threadgauge.model.Sizing
import threadgauge.stats.FEWEST_REPEATS
import threadgauge.stats.SearchEnd
import threadgauge.stats.SearchStep
import threadgauge.stats.median
import threadgauge.stats.posterior
import threadgauge.stats.typicalInterval
import kotlin.math.ceil

/** What the record of a search for the knee means. A pure function of the record. */
fun judgeKnee(record: Record): KneeJudgement {
    val question = checkNotNull(record.plan.knee) { "the record ${record.id} is not one of a search for the knee" }
    val processes = record.repeats.map { ProcessKnee(question, record, it) }
    val outcome = outcome(processes)
    val knee = if (outcome == KneeOutcome.FOUND) together(processes.mapNotNull { it.knee }) else null
    val probes = processes.flatMap { it.judged }
    val highestKept = probes.filter { it.outcome == ProbeOutcome.KEPT }.maxOfOrNull { it.offeredPerSecond }
    val target = record.plan.stacks.first().title
    val evidence = KneeEvidence(record, probes, processes.map { it.knee }, knee)
    return KneeJudgement(
        recordId = record.id,
        state = record.state,
        target = target,
        question = question,
        outcome = outcome,
        words = kneeWords(target, question, outcome, knee, highestKept, probes),
        knee = knee,
        highestKept = highestKept,
        processes = processes.map { it.knee },
        probes = probes,
        sizing = sizing(question, outcome, knee, highestKept, record.environment.targetCores.size),
        scalability = scalability(probes),
        // Few repeats are told by the search's own rule.
        doubts = doubtsOf(record).filter { it.name != "indicative" } + doubtsOf(evidence),
    )
}

/** Knees of the processes that have come to an end, in requests per second. */
fun kneesOf(record: Record): List<Double> = record.plan.knee?.let { question ->
    record.repeats.filter { it.state == RepeatState.MEASURED }.mapNotNull { ProcessKnee(question, record, it).knee?.perSecond }
}.orEmpty()

/** One process of the search: its probes, and what they say. */
private class ProcessKnee(question: KneeQuestion, record: Record, repeat: Repeat) {
    private val steps = KneeSteps(question, record.environment)
    val judged = repeat.probes.map { judgeProbe(question.slo, repeat.number, it, record.environment) }
    private val trials = trials(judged)
    private val end = (steps.rate(repeat.probes) as? SearchStep.Stop)?.why
    private val isBracketed = trials.any { it.kept } && trials.any { !it.kept }

    val outcome: KneeOutcome = when {
        end == SearchEnd.KEPT_AT_THE_TOP -> if (steps.isHeldByAgent(judged)) KneeOutcome.AGENT_IS_THE_LIMIT else KneeOutcome.NEVER_BROKEN
        end == SearchEnd.BROKEN_AT_THE_BOTTOM -> KneeOutcome.NEVER_KEPT
        isBracketed -> KneeOutcome.FOUND
        trials.any { it.kept } && judged.any { it.outcome in AGENTS } -> KneeOutcome.AGENT_IS_THE_LIMIT
        else -> KneeOutcome.CANNOT_TELL
    }

    val knee: Knee? = if (outcome != KneeOutcome.FOUND) null else posterior(steps.rule(judged), trials).let {
        val interval = it.interval()
        Knee(it.median, interval.low, interval.high)
    }
}

/** What most processes say; where they disagree, nobody can tell. */
private fun outcome(processes: List<ProcessKnee>): KneeOutcome {
    val (outcome, times) = processes.groupingBy { it.outcome }.eachCount().maxByOrNull { it.value } ?: return KneeOutcome.CANNOT_TELL
    return if (times * 2 > processes.size) outcome else KneeOutcome.CANNOT_TELL
}

/**
 * From three processes on the interval is Student's over their knees, which holds what differs from one start to the next and
 * what each search left open. With two it spans both; with one it is that of its search.
 */
private fun together(knees: List<Knee>): Knee {
    val values = knees.map { it.perSecond }
    val student = if (knees.size >= FEWEST_REPEATS) typicalInterval(values) else null
    return Knee(
        perSecond = median(values),
        low = minOf(student?.low ?: knees.minOf { it.low }, median(values)),
        high = maxOf(student?.high ?: knees.maxOf { it.high }, median(values)),
    )
}

/** With the lower end of the interval, because replicas that are too few cost more than one too many. */
private fun sizing(question: KneeQuestion, outcome: KneeOutcome, knee: Knee?, highestKept: Double?, cores: Int): Sizing? {
    val want = question.wantPerSecond ?: return null
    val isLeast = outcome == KneeOutcome.NEVER_BROKEN || outcome == KneeOutcome.AGENT_IS_THE_LIMIT
    val each = knee?.low ?: highestKept?.takeIf { isLeast } ?: return null
    val replicas = ceil(want * (1 + question.headroom) / each).toLong()
    return Sizing(want, question.headroom, each, replicas, cores.takeIf { it > 0 }, atMost = isLeast)
}

internal fun List<JudgedProbe>.lowestBroken(): JudgedProbe? =
    filter { it.outcome == ProbeOutcome.BROKEN }.minByOrNull { it.offeredPerSecond }

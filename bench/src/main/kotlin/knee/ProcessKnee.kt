package threadgauge.knee

import threadgauge.model.KneeQuestion
import threadgauge.model.Record
import threadgauge.model.Repeat
import threadgauge.model.RepeatState
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.ProbeOutcome

/** One process of a search: its probes, and what they say of the knee. A pure function of the record. */
internal class ProcessKnee(question: KneeQuestion, record: Record, repeat: Repeat) {
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

/** Knees of the processes that have come to an end, in requests per second. */
fun kneesOf(record: Record): List<Double> = record.plan.knee?.let { question ->
    record.repeats.filter { it.state == RepeatState.MEASURED }.mapNotNull { ProcessKnee(question, record, it).knee?.perSecond }
}.orEmpty()

/** Probes with these outcomes say nothing about the target: the load agent, and not it, was the limit. */
internal val AGENTS = setOf(ProbeOutcome.AGENT, ProbeOutcome.LATE)

package threadgauge.knee

import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.plan.KneeQuestion

/** One process of a search: its probes and its knee. A pure function of the record. */
internal class ProcessKnee(question: KneeQuestion, record: Record, trial: Trial) {
    private val steps = KneeSteps(question, record.environment)
    val judged = trial.probes.map { judgeProbe(question.slo, trial.number, it, record.environment) }
    private val attempts = attempts(judged)
    private val end = (steps.rate(trial.probes) as? SearchStep.Stop)?.why
    private val isBracketed = attempts.any { it.kept } && attempts.any { !it.kept }

    val outcome: KneeOutcome = when {
        end == SearchEnd.KEPT_AT_THE_TOP ->
            if (steps.isHeldByAgent(judged)) KneeOutcome.AGENT_IS_THE_LIMIT else KneeOutcome.NEVER_BROKEN
        end == SearchEnd.BROKEN_AT_THE_BOTTOM -> KneeOutcome.NEVER_KEPT
        isBracketed -> KneeOutcome.FOUND
        attempts.any { it.kept } && judged.any { it.outcome in AGENTS } -> KneeOutcome.AGENT_IS_THE_LIMIT
        else -> KneeOutcome.CANNOT_TELL
    }

    /** The highest actual rate that met the goals; null where none did. */
    val highestKept: Double? = attempts.filter { it.kept }.maxOfOrNull { it.perSecond }

    /** Null where no knee was found. */
    val posterior: KneePosterior? =
        if (outcome == KneeOutcome.FOUND) posterior(steps.rule(judged), attempts) else null

    val knee: Knee? = posterior?.let {
        val interval = it.interval()
        Knee(it.median, interval.low, interval.high)
    }
}

/** Knees of the finished processes of [stack], in requests per second. */
fun kneesOf(record: Record, stack: String): List<Double> = record.plan.knee?.let { question ->
    record.trials.filter { it.stack == stack && it.state == TrialState.MEASURED }
        .mapNotNull { ProcessKnee(question, record, it).knee?.perSecond }
}.orEmpty()

/** Probes with these outcomes say nothing about the target, because the load agent was the limit. */
internal val AGENTS = setOf(ProbeOutcome.AGENT, ProbeOutcome.LATE)

package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.notation
import threadgauge.wording.whole

internal val KneeOutcome.words: String
    get() = when (this) {
        KneeOutcome.FOUND -> "knee found"
        KneeOutcome.NEVER_BROKEN -> "goals met at every rate"
        KneeOutcome.AGENT_IS_THE_LIMIT -> "limited by the load agent"
        KneeOutcome.NEVER_KEPT -> "goals never met"
        KneeOutcome.CANNOT_TELL -> "cannot tell"
    }

/** The result of a search in one or two sentences. */
internal fun KneeJudgement.words(): String {
    val slo = question.slo.notation()
    val least = highestKept?.let { "at least ${perSecond(it)}" } ?: "some rate"
    return when (outcome) {
        KneeOutcome.FOUND -> "$target meets $slo up to " +
            knee!!.let { "${perSecond(it.perSecond)} (${rate(it.low)} to ${rate(it.high)})." }
        KneeOutcome.NEVER_BROKEN -> "$target meets $slo up to $least." +
            question.toPerSecond?.let { " The search went no higher than ${perSecond(it)}." }.orEmpty()
        KneeOutcome.AGENT_IS_THE_LIMIT -> "$target meets $slo up to $least. " +
            "The load agent cannot send more on this machine, so the limit of the target is unknown."
        KneeOutcome.NEVER_KEPT -> "$target does not meet $slo even at the lowest rate." +
            lowestBroken?.let { " At ${perSecond(it.offeredPerSecond)}: ${it.reasonWords()}." }.orEmpty()
        KneeOutcome.CANNOT_TELL -> "Cannot tell up to which rate $target meets $slo: the probes are inconclusive."
    }
}

/** Text alternative of the chart. */
internal fun Knee?.inShort(): String =
    this?.let { "The knee is at ${perSecond(it.perSecond)}." } ?: "No knee was found."

/** Everything that decided the outcome of this probe. */
internal fun JudgedProbe.reasonWords(): String = reasons.joinToString("; ") { it.words() }

/** "1,991/s" */
internal fun perSecond(rate: Double) = "${rate(rate)}/s"

/** Requests per second: "1,991", "26.5". */
internal fun rate(perSecond: Double) = if (perSecond < 100) "%.1f".format(Locale.ROOT, perSecond) else whole(perSecond)

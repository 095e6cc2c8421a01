package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.notation
import threadgauge.wording.whole

internal val KneeOutcome.words: String
    get() = when (this) {
        KneeOutcome.FOUND -> "found"
        KneeOutcome.NEVER_BROKEN -> "never broken"
        KneeOutcome.AGENT_IS_THE_LIMIT -> "the load agent is the limit"
        KneeOutcome.NEVER_KEPT -> "never kept"
        KneeOutcome.CANNOT_TELL -> "cannot tell"
    }

/** The answer of a search in one or two sentences. */
internal fun KneeJudgement.words(): String {
    val slo = question.slo.notation()
    val least = highestKept?.let { "at least ${perSecond(it)}" } ?: "some rate"
    return when (outcome) {
        KneeOutcome.FOUND -> "$target keeps $slo up to " +
            knee!!.let { "${perSecond(it.perSecond)} (${rate(it.low)} to ${rate(it.high)})." }
        KneeOutcome.NEVER_BROKEN ->
            "$target keeps $slo up to $least. It was asked for no more than ${perSecond(question.toPerSecond ?: 0.0)}."
        KneeOutcome.AGENT_IS_THE_LIMIT ->
            "$target keeps $slo up to $least. The load agent cannot tell more on this machine: " +
                "it is the limit, not the target."
        KneeOutcome.NEVER_KEPT -> "$target never keeps $slo" + lowestBroken?.let { probe ->
            ": at ${perSecond(probe.offeredPerSecond)} " + probe.reasons.joinToString("; ") { it.words() }
        }.orEmpty() + "."
        KneeOutcome.CANNOT_TELL -> "Too little was seen to say up to which rate $target keeps $slo."
    }
}

/** "1,991/s" */
internal fun perSecond(rate: Double) = "${rate(rate)}/s"

/** Requests per second: "1,991", "26.5". */
internal fun rate(perSecond: Double) = if (perSecond < 100) "%.1f".format(Locale.ROOT, perSecond) else whole(perSecond)

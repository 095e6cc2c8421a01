package threadgauge.judge.knee

import threadgauge.model.KneeQuestion
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.words
import threadgauge.wording.whole

/** The answer in one or two sentences. */
internal fun kneeWords(
    target: String,
    question: KneeQuestion,
    outcome: KneeOutcome,
    knee: Knee?,
    highestKept: Double?,
    probes: List<JudgedProbe>,
): String {
    val slo = question.slo.words()
    val least = highestKept?.let { "at least ${rate(it)}" } ?: "some rate"
    return when (outcome) {
        KneeOutcome.FOUND -> "$target keeps $slo up to ${rate(knee!!.perSecond)} (${number(knee.low)} to ${number(knee.high)})."
        KneeOutcome.NEVER_BROKEN -> "$target keeps $slo up to $least. It was asked for no more than ${rate(question.toPerSecond ?: 0.0)}."
        KneeOutcome.AGENT_IS_THE_LIMIT ->
            "$target keeps $slo up to $least. The load agent cannot tell more on this machine: it is the limit, not the target."
        KneeOutcome.NEVER_KEPT -> {
            val seen = probes.lowestBroken()
            val why = seen?.let { ": at ${rate(it.offeredPerSecond)} ${it.why.joinToString("; ")}" }.orEmpty()
            "$target never keeps $slo$why."
        }
        KneeOutcome.CANNOT_TELL -> "Too little was seen to say up to which rate $target keeps $slo."
    }
}

private fun rate(perSecond: Double) = "${number(perSecond)}/s"

private fun number(value: Double) = if (value < 100) "%.1f".format(java.util.Locale.ROOT, value) else whole(value)

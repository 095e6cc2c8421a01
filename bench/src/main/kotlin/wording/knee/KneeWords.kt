package threadgauge.wording.knee

import java.util.Locale
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeComparison
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.KneesJudgement
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

/** Which of the two takes more, by how much, and how sure that is. */
internal fun KneeComparison.words(): String = when (outcome) {
    ComparisonOutcome.MORE ->
        "$target takes ${times(low, ratio, high)} the rate of $other${interval(ratio, low, high)}."
    ComparisonOutcome.LESS -> copy(
        target = other, other = target, ratio = ratio?.let { 1 / it }, low = high?.let { 1 / it },
        high = low?.let { 1 / it }, outcome = ComparisonOutcome.MORE,
    ).words()
    ComparisonOutcome.NO_DIFFERENCE ->
        "$target and $other take the same rate: the ratio is ${digits(ratio)}${interval(ratio, low, high)}."
    ComparisonOutcome.CANNOT_TELL -> "Cannot tell which takes the higher rate, $target or $other: " +
        "the ratio is ${digits(ratio)}${interval(ratio, low, high)}."
}

/** What is told of all targets together; empty where there is only one. */
internal fun KneesJudgement.comparisonWords(): List<String> = targets.drop(1).map { other ->
    comparisons.firstOrNull { it.other == other.target }?.words()
        ?: "Cannot tell which takes the higher rate, ${targets.first().target} or ${other.target}."
}

private fun times(low: Double?, ratio: Double?, high: Double?) = when {
    ratio != null -> "${digits(ratio)} times"
    high == null -> "at least ${digits(low)} times"
    else -> "at most ${digits(high)} times"
}

private fun interval(ratio: Double?, low: Double?, high: Double?) =
    if (ratio == null) "" else " (${digits(low)} to ${digits(high)})"

private fun digits(ratio: Double?) = "%.2f".format(Locale.ROOT, ratio)

/** Text alternative of the chart. */
internal fun Knee?.inShort(): String =
    this?.let { "The knee is at ${perSecond(it.perSecond)}." } ?: "No knee was found."

/** Everything that decided the outcome of this probe. */
internal fun JudgedProbe.reasonWords(): String = reasons.joinToString("; ") { it.words() }

/** "1,991/s" */
internal fun perSecond(rate: Double) = "${rate(rate)}/s"

/** Requests per second: "1,991", "26.5". */
internal fun rate(perSecond: Double) = if (perSecond < 100) "%.1f".format(Locale.ROOT, perSecond) else whole(perSecond)

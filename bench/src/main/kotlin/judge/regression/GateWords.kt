package threadgauge.judge.regression

import java.util.Locale
import threadgauge.judge.verdict.NOT_BY_REPEATS
import threadgauge.model.judgement.Change
import threadgauge.model.judgement.ChangeOutcome
import threadgauge.model.judgement.Doubt
import threadgauge.model.judgement.Gate
import threadgauge.model.judgement.Validity
import threadgauge.wording.percent

/** The outcome of a gate in one or two sentences: what decided it, and what would help where nothing did. */
internal fun gateWords(gate: Gate, changes: List<Change>, mismatches: List<String>, doubts: List<Doubt>, margin: Double): String {
    val gated = changes.filter { it.gated }
    return when (gate) {
        Gate.FAILED -> "Worse than the base: " + gated.filter { it.outcome == ChangeOutcome.WORSE }.listed { it.words() } + "."
        Gate.PASSED -> "Not worse than the base by more than ${percent(margin)}." + gated.filter { it.outcome == ChangeOutcome.BETTER }
            .let { better -> if (better.isEmpty()) "" else " Better: " + better.listed { it.words() } + "." }
        Gate.CANNOT_TELL -> "Cannot tell whether it is worse than the base: " + whyNot(gated, mismatches, doubts)
    }
}

private fun whyNot(gated: List<Change>, mismatches: List<String>, doubts: List<Doubt>): String {
    doubts.firstOrNull { it.validity == Validity.INVALID }?.let { return "${it.seen}. ${it.remedy}" }
    if (gated.isEmpty()) return "there is nothing that both sides measured."
    val open = gated.filter { it.outcome == ChangeOutcome.CANNOT_TELL }
    if (open.isEmpty()) return mismatches.listed { it } + "."
    val invalid = open.filter { it.validity == Validity.INVALID }
    if (invalid.isNotEmpty()) return invalid.listed { "${it.what} is invalid (${it.doubts.joinToString()})" } + "."
    val trials = open.map { it.trialsToTell }
    val help = when {
        open.any { it.low == null } -> "Three trials on each side are the fewest that give an interval."
        null in trials -> NOT_BY_REPEATS
        else -> "About ${trials.maxOf { it!! }} trials on each side would tell, if they vary as these did."
    }
    return open.listed { it.words() } + ". $help"
}

private fun Change.words(): String {
    val range = if (low == null || high == null) "no interval" else "%.3f to %.3f".format(Locale.ROOT, low, high)
    return "$what is %.3f times that before ($range)".format(Locale.ROOT, ratio)
}

private val Change.what get() = "${of.words} of $stack in $situation"

/** The first few in full, and how many more there are. */
private fun <T> List<T>.listed(words: (T) -> String) =
    take(MAX_CHANGES).joinToString("; ", transform = words) + if (size > MAX_CHANGES) "; and ${size - MAX_CHANGES} more" else ""

private const val MAX_CHANGES = 3

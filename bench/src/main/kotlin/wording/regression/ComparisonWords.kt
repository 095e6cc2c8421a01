package threadgauge.wording.regression

import java.util.Locale
import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Change
import threadgauge.model.judgement.ChangeOutcome
import threadgauge.model.judgement.GateResult
import threadgauge.model.judgement.RecordComparison
import threadgauge.model.judgement.Validity
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.percent
import threadgauge.wording.words

/** The outcome of the gate in one or two sentences: what decided it, and what would help where nothing did. */
internal fun RecordComparison.words(): String {
    val gated = changes.filter { it.gated }
    return when (gate) {
        GateResult.FAILED ->
            "Worse than the base: " + gated.filter { it.outcome == ChangeOutcome.WORSE }.listed { it.words() } + "."
        GateResult.PASSED -> "Not worse than the base by more than ${percent(margin)}." + better(gated)
        GateResult.CANNOT_TELL -> "Cannot tell whether it is worse than the base: " + whyNot(gated)
    }
}

/** How the answer was reached, in one line. */
internal fun RecordComparison.sureness(): String {
    val gated = changes.count { it.gated }.toLong()
    val sides = if (base.size > 1 || new.size > 1) "${base.size} and ${new.size} runs, " else ""
    return "${sides}${counted(gated, "gated figure")} (marked *), intervals at 95 % for all of them together, " +
        "differences below ${digits(margin * 100)} % do not count."
}

internal val ChangeOutcome.words: String
    get() = when (this) {
        ChangeOutcome.BETTER -> "better"
        ChangeOutcome.SAME -> "the same"
        ChangeOutcome.NOT_WORSE -> "not worse"
        ChangeOutcome.WORSE -> "worse"
        ChangeOutcome.CANNOT_TELL -> "cannot tell"
    }

private fun better(gated: List<Change>): String {
    val better = gated.filter { it.outcome == ChangeOutcome.BETTER }
    return if (better.isEmpty()) "" else " Better: " + better.listed { it.words() } + "."
}

private fun RecordComparison.whyNot(gated: List<Change>): String {
    doubts.firstOrNull { it.validity == Validity.INVALID }?.let { return "${it.seen}. ${it.remedy}" }
    if (gated.isEmpty()) return "there is nothing that both sides measured."
    val open = gated.filter { it.outcome == ChangeOutcome.CANNOT_TELL }
    if (open.isEmpty()) return notCompared.listed { it.words() } + "."
    val invalid = open.filter { it.validity == Validity.INVALID }
    if (invalid.isNotEmpty()) return invalid.listed { "${it.what} is invalid (${it.doubts.joinToString()})" } + "."
    return open.listed { it.words() } + ". " + help(open)
}

/** What it would take to tell the figures that are [open]. */
private fun help(open: List<Change>): String {
    val trials = open.map { it.trialsToTell }
    return when {
        open.any { it.low == null } -> "Three trials on each side are the fewest that give an interval."
        null in trials ->
            "Not even $MAX_TRIALS trials would tell, if they vary as these did: " +
                "lengthen the load, or use a quieter machine."
        else -> "About ${trials.maxOf { it!! }} trials on each side would tell, if they vary as these did."
    }
}

private fun Change.words(): String {
    val range = if (low == null || high == null) "no interval" else "%.3f to %.3f".format(Locale.ROOT, low, high)
    return "$what is %.3f times that before ($range)".format(Locale.ROOT, ratio)
}

private val Change.what get() = "${of.words} of $stack in $situation"

/** The first few in full, and how many more there are. */
private fun <T> List<T>.listed(words: (T) -> String): String {
    val more = if (size > MAX_LISTED) "; and ${size - MAX_LISTED} more" else ""
    return take(MAX_LISTED).joinToString("; ", transform = words) + more
}

private const val MAX_LISTED = 3

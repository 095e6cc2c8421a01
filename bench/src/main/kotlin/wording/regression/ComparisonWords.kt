package threadgauge.wording.regression

import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.wording.counted
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.plainPercent

/** The question that a comparison answers. */
internal fun RecordComparison.question(): String = "Is ${new.joinToString()} worse than ${base.joinToString()}?"

/** The outcome of the gate in one or two sentences: what decided it, or what would help to decide it. */
internal fun RecordComparison.words(): String {
    val gated = changes.filter { it.gated }
    return when (gate) {
        GateResult.FAILED ->
            "Worse than the base: ${gated.filter { it.outcome == ChangeOutcome.WORSE }.listed { it.words() }}."
        GateResult.PASSED -> "Not worse than the base by more than ${plainPercent(margin)}." + better(gated)
        GateResult.CANNOT_TELL -> "Cannot tell whether it is worse than the base: " + whyNot(gated)
    }
}

/** What the answer is based on: runs, figures, confidence and margin. */
internal fun RecordComparison.basisWords(): String {
    val gated = changes.count { it.gated }.toLong()
    if (gated == 0L) return "No gated figure was measured on both sides."
    val sides = "${counted(base.size.toLong(), "base run")}, ${counted(new.size.toLong(), "new run")}. "
    val runs = if (base.size > 1 || new.size > 1) sides else ""
    val together = if (gated > 1) " for all of them together" else ""
    return "$runs${counted(gated, "gated figure")}, with 95 % confidence$together. " +
        "Differences below ${plainPercent(margin)} do not count."
}

private fun better(gated: List<Change>): String {
    val better = gated.filter { it.outcome == ChangeOutcome.BETTER }
    return if (better.isEmpty()) "" else " Better: ${better.listed { it.words() }}."
}

private fun RecordComparison.whyNot(gated: List<Change>): String {
    doubts.firstOrNull { it.validity == Validity.INVALID }?.let { return "${it.seen}. ${it.remedy}" }
    if (gated.isEmpty()) return "no figure was measured on both sides."
    val open = gated.filter { it.outcome == ChangeOutcome.CANNOT_TELL }
    if (open.isEmpty()) return notCompared.listed { it.words() } + "."
    val invalid = open.filter { it.validity == Validity.INVALID }
    if (invalid.isNotEmpty()) return invalid.listed { "${it.subject} is invalid (${it.doubts.joinToString()})" } + "."
    return open.listed { it.words() } + ". " + help(open)
}

/** How many trials would decide the figures that are [open]. */
private fun help(open: List<Change>): String {
    val trials = open.map { it.trialsToTell }
    return when {
        open.any { it.low == null } -> "An interval needs three trials on each side."
        null in trials -> "If trials go on to vary like this, even $MAX_TRIALS on each side are too few. " +
            "Use a longer load or a quieter machine."
        else -> "If trials go on to vary like this, about ${trials.maxOf { it!! }} on each side are enough."
    }
}

/** The first few, and the number of the others. */
private fun <T> List<T>.listed(words: (T) -> String): String {
    val more = if (size > MAX_LISTED) "; and ${size - MAX_LISTED} more" else ""
    return take(MAX_LISTED).joinToString("; ", transform = words) + more
}

private const val MAX_LISTED = 3

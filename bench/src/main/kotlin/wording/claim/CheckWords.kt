package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.cells
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.CheckOutcome
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.found
import threadgauge.wording.doubt.seen

/** One sentence: what was found against what is claimed, or why nothing can be told. */
internal fun ClaimCheck.words(): String = when (val finding = finding) {
    CheckFinding.Found -> "Found ${foundAgainstClaimed()}."
    CheckFinding.NothingSold -> "${statement.measure.title}: nothing was sold in this experiment."
    CheckFinding.NoRest ->
        "${statement.measure.title}: not measured, because the experiment lets no process rest; `rest: 20s` does."
    CheckFinding.ZeroInSomeTrial -> "No ratio can be formed, because a figure is zero in some trial."
    is CheckFinding.StackLeftOut -> "${finding.stack} was left out of this run."
    is CheckFinding.NoFigure -> "${finding.cell.words()} has no figure."
    is CheckFinding.InvalidFigures ->
        "The figures of ${finding.cell.words()} are invalid: ${finding.doubts.joinToString("; ") { it.seen }}."
    is CheckFinding.TooFewTrials ->
        "${finding.cell.words()} was measured ${times(finding.trials)}; an interval needs ${finding.needed} trials."
}

/** "21.3 times (20.1 to 22.6), claimed at least 14 times", of a check that found a figure. */
internal fun ClaimCheck.foundAgainstClaimed(): String {
    val figure = checkNotNull(found) { "no figure was found" }
    val isRatio = statement.right is Bound.Times
    fun text(value: Double) = if (isRatio) ratioText(value) else statement.measure.unit.text(value)
    val isOneValue = figure.low == figure.high
    val interval = if (isOneValue) "in every trial" else "(${text(figure.low!!)} to ${text(figure.high!!)})"
    val meaning = if (outcome == CheckOutcome.UNKNOWN) "; the interval holds values on both sides" else ""
    return "${text(figure.value)}${if (isRatio) " times" else ""} $interval, claimed ${claimed()}$meaning"
}

private fun ClaimCheck.claimed() = when (val right = statement.right) {
    is Bound.Value -> statement.relation.words(statement.measure, right.value)
    is Bound.Times -> when (right.factor) {
        1.0 -> statement.relation.asMuch
        else -> "${statement.relation.words} ${factorText(right.factor)} times"
    }
}

/** The outcome, as a sentence of its own. */
internal fun ClaimCheck.outcomeWords(): String = when (outcome) {
    CheckOutcome.HOLDS -> if (isForced) "Holds, by the setting." else "Holds."
    CheckOutcome.FAILS -> if (isForced) "Does not hold, by the setting." else "Does not hold."
    CheckOutcome.UNKNOWN -> "Cannot tell."
}

/** How the statement was asked. */
internal val ClaimCheck.asking: String get() = if (asPublished) "As published" else "Asked fairly"

/** What tells this check from [all] of its claim: "Asked fairly, Threads, few against many". */
internal fun ClaimCheck.label(all: List<ClaimCheck>): String {
    val parts = listOfNotNull(
        asking,
        statement.measure.title.takeIf { all.any { it.statement.measure != statement.measure } },
        statement.left.stack.takeIf { stack -> all.any { it.statement.left.stack != stack } },
        statement.cells.mapNotNull { it.situation }.distinct().joinToString(" against ").ifEmpty { null },
    )
    return parts.joinToString(", ")
}

/** "192.6/s", or "150/s to 192.6/s" where a range was published. */
internal fun PublishedFigure.words(): String =
    if (low == high) measure.unit.text(low) else "${measure.unit.text(low)} to ${measure.unit.text(high)}"

/** As beneath every figure of a claim: its interval, or how few values there were. */
internal fun Figure.intervalWords(text: (Double) -> String): String {
    val (from, to) = low to high
    return when {
        from == null || to == null -> "n of ${values.size}"
        from == to -> "all equal"
        else -> "${text(from)} to ${text(to)}"
    }
}

private fun times(count: Int) = if (count == 1) "once" else "$count times"

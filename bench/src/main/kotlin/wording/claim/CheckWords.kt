package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.cells
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.found
import threadgauge.wording.counted
import threadgauge.wording.doubt.seen

/** What was measured and what is claimed, or why the run cannot tell. */
internal fun ClaimCheck.words(): String = when (val finding = finding) {
    CheckFinding.Found -> measuredWords()
    CheckFinding.NothingSold -> "Not measured: this experiment sells no tickets."
    CheckFinding.NoRest ->
        "Not measured: ${withinSentence(statement.measure.title)} needs `rest: 20s` in the experiment file."
    CheckFinding.ZeroInSomeTrial -> "A figure is zero in at least one trial, so there is no ratio."
    is CheckFinding.StackLeftOut -> "${finding.stack} was left out of this run."
    is CheckFinding.NoFigure -> "${finding.cell.words()} was not measured."
    is CheckFinding.InvalidFigures ->
        "The figures of ${finding.cell.words()} are invalid: ${finding.doubts.joinToString("; ") { it.seen }}."
    is CheckFinding.TooFewTrials ->
        "${finding.cell.words()} has ${trials(finding.trials)}; an interval needs ${finding.needed}."
}

private fun ClaimCheck.measuredWords(): String {
    val measured = "Measured ${measured()}, claimed ${claimed()}."
    if (outcome != CheckOutcome.UNKNOWN) return measured
    return "$measured The interval includes values on both sides of the claim."
}

/** "21.3 times (20.1 to 22.6)", of a check that found a figure. */
internal fun ClaimCheck.measured(): String {
    val figure = checkNotNull(found) { "no figure was found" }
    val isRatio = statement.right is Bound.Times
    fun text(value: Double) = if (isRatio) ratioText(value) else statement.measure.unit.text(value)
    val isOneValue = figure.low == figure.high
    val interval = if (isOneValue) "in every trial" else "(${text(figure.low!!)} to ${text(figure.high!!)})"
    return "${text(figure.value)}${if (isRatio) " times" else ""} $interval"
}

private fun ClaimCheck.claimed() = when (val right = statement.right) {
    is Bound.Value -> statement.relation.words(statement.measure.unit.text(right.value))
    is Bound.Times -> when (right.factor) {
        1.0 -> statement.relation.asMuch
        else -> statement.relation.words("${factorText(right.factor)} times")
    }
}

/** The outcome as a sentence. */
internal fun ClaimCheck.outcomeWords(): String = when (outcome) {
    CheckOutcome.HOLDS -> if (isForced) "Holds, because of a limit." else "Holds."
    CheckOutcome.FAILS -> if (isForced) "Does not hold, because of a limit." else "Does not hold."
    CheckOutcome.UNKNOWN -> "Cannot tell."
}

/** Under which conditions the statement was tested. */
internal val ClaimCheck.conditions: String get() = if (asPublished) "As published" else "Tested fairly"

/** What distinguishes this check from the others of its claim, [all]: "Tested fairly, Threads, few against many". */
internal fun ClaimCheck.label(all: List<ClaimCheck>): String {
    val parts = listOfNotNull(
        conditions,
        statement.measure.title.takeIf { all.any { it.statement.measure != statement.measure } },
        statement.left.stack.takeIf { stack -> all.any { it.statement.left.stack != stack } },
        statement.cells.mapNotNull { it.situation }.distinct().joinToString(" against ").ifEmpty { null },
    )
    return parts.joinToString(", ")
}

/** "192.6/s", or "150/s to 192.6/s" where a range was published. */
internal fun PublishedFigure.words(): String =
    if (low == high) measure.unit.text(low) else "${measure.unit.text(low)} to ${measure.unit.text(high)}"

/** The line below each figure of a claim: its interval, or the number of values where they are too few. */
internal fun Figure.intervalWords(text: (Double) -> String): String {
    val (from, to) = low to high
    return when {
        from == null || to == null -> "n of ${values.size}"
        from == to -> "all equal"
        else -> "${text(from)} to ${text(to)}"
    }
}

private fun trials(count: Int) = counted(count.toLong(), "trial")

package threadgauge.report.html.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.ClaimUnit
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Source
import threadgauge.model.claim.cells
import threadgauge.model.claim.text
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckOutcome
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.ClaimEvidence
import threadgauge.model.judgement.ClaimVerdict
import threadgauge.model.judgement.Figure
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.sentence
import threadgauge.report.html.VerdictTag
import threadgauge.report.html.ceilings
import threadgauge.report.html.ratioDecimals
import threadgauge.report.regression.text

internal fun tag(verdict: ClaimVerdict): VerdictTag = when (verdict) {
    ClaimVerdict.CONFIRMED -> VerdictTag("✓", verdict.words, "fits")
    ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> VerdictTag("◐", verdict.words, "fits")
    ClaimVerdict.REFUTED -> VerdictTag("✗", verdict.words, "refuted")
    ClaimVerdict.DECIDED_BY_THE_SETTING -> VerdictTag("⊤", verdict.words, "setting")
    ClaimVerdict.CANNOT_TELL_HERE -> VerdictTag("?", verdict.words, "unsure")
}

/** For a reader who sees the word for the first time. */
internal fun meaning(verdict: ClaimVerdict): String = when (verdict) {
    ClaimVerdict.CONFIRMED -> "It holds in every situation in which it was asked fairly, by the whole interval."
    ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> "It holds in some of these situations, and not, or not surely, in others. Both are named."
    ClaimVerdict.REFUTED -> "It holds in none of them, by the whole interval, and no setting explains that it was seen."
    ClaimVerdict.DECIDED_BY_THE_SETTING ->
        "A setting, such as the number of users, bounds one side, and that alone makes the claim come out. Another setting turns it."
    ClaimVerdict.CANNOT_TELL_HERE ->
        "Here it is not known: not measured, too few trials, invalid figures, or an interval with values on both sides."
}

internal fun Source.inWords(): String =
    sentence(listOfNotNull(title, author, date).joinToString(", ")) + conditions?.let { " " + sentence(it) }.orEmpty()

internal fun asking(check: ClaimCheck) = if (check.asPublished) "As published" else "Asked fairly"

/** What tells [check] from the others of its claim: "Asked fairly, Threads, few against many". */
internal fun label(check: ClaimCheck, all: List<ClaimCheck>): String {
    val statement = check.statement
    val parts = listOfNotNull(
        asking(check),
        statement.measure.title.takeIf { title -> all.any { it.statement.measure.title != title } },
        statement.left.stack.takeIf { stack -> all.any { it.statement.left.stack != stack } },
        statement.cells.mapNotNull { it.situation }.distinct().joinToString(" against ").ifEmpty { null },
    )
    return parts.joinToString(", ")
}

/** What was found and its interval, as "1.40×" and "0.850–2.60", or "9.07 s" and "6.49 s to 12.7 s"; null where nothing was. */
internal fun foundTexts(check: ClaimCheck): Pair<String, String>? {
    val unit = check.statement.measure.unit
    if (check.statement.right is Bound.Value) return check.evidence.firstOrNull()?.figure?.let { unit.of(it) to it.range(unit) }
    val ratio = check.ratio ?: return null
    val decimals = ratioDecimals(ratio.value)
    val (low, high) = (ratio.low ?: return null) to (ratio.high ?: return null)
    return "${number(ratio.value, decimals)}×" to if (low == high) "all equal" else "${number(low, decimals)}–${number(high, decimals)}"
}

internal fun outcomeWords(check: ClaimCheck): String = when (check.outcome) {
    CheckOutcome.HOLDS -> if (check.isForced) "Holds, by the setting." else "Holds."
    CheckOutcome.FAILS -> if (check.isForced) "Does not hold, by the setting." else "Does not hold."
    CheckOutcome.UNKNOWN -> "Cannot tell."
}

internal fun PublishedFigure.inWords(): String =
    if (low == high) measure.unit.text(low) else "${measure.unit.text(low)} to ${measure.unit.text(high)}"

internal fun ClaimUnit.of(figure: Figure): String = text(figure.value)

/** As beneath every figure: its interval, or how few values there were. */
internal fun Figure.range(unit: ClaimUnit): String {
    val (from, to) = low to high
    return when {
        from == null || to == null -> "n of ${values.size}"
        from == to -> "all equal"
        else -> "${unit.text(from)} to ${unit.text(to)}"
    }
}

/** The lowest ceiling that a setting makes for this cell, and whether the cell stands at it; null where none is known. */
internal fun ReportContext.ceilingOf(check: ClaimCheck, evidence: ClaimEvidence): String? {
    if (check.statement.measure != ClaimMeasure.THROUGHPUT) return null
    val cell = judgement.situations.firstOrNull { it.situation.name == evidence.cell.situation }
        ?.cells?.firstOrNull { it.stack == evidence.cell.stack }
    val lowest = cell?.ceilings?.filter { it.bySetting }?.minByOrNull { it.requestsPerSecond } ?: return null
    return "${bound(lowest)}, ${if (lowest.reached) "reached" else "not reached"}"
}

internal fun bound(ceiling: Ceiling) = "${ceiling.words} = ${number(ceiling.requestsPerSecond)}/s"

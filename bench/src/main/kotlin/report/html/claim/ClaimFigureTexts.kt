package threadgauge.report.html.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Source
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.model.judgement.claim.found
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.sentence
import threadgauge.report.html.ratioDecimals
import threadgauge.wording.claim.intervalWords
import threadgauge.wording.claim.text
import threadgauge.wording.words

internal fun Source.inWords(): String =
    sentence(listOfNotNull(title, author, date).joinToString(", ")) + conditions?.let { " " + sentence(it) }.orEmpty()

/** The measured figure and its interval: "1.40×" and "0.850–2.60", or "9.07 s" and "6.49 s to 12.7 s"; or null. */
internal fun foundTexts(check: ClaimCheck): Pair<String, String>? {
    val unit = check.statement.measure.unit
    val found = check.found ?: return null
    if (check.statement.right is Bound.Value) return unit.text(found.value) to found.intervalWords(unit::text)
    val decimals = ratioDecimals(found.value)
    val (low, high) = (found.low ?: return null) to (found.high ?: return null)
    val interval = if (low == high) "all equal" else "${number(low, decimals)}–${number(high, decimals)}"
    return "${number(found.value, decimals)}×" to interval
}

/** The lowest ceiling of this cell that a setting causes, and whether it was reached. Null where none is known. */
internal fun ReportContext.ceilingOf(check: ClaimCheck, evidence: ClaimEvidence): String? {
    if (check.statement.measure != ClaimMeasure.THROUGHPUT) return null
    val cell = judgement.situations.firstOrNull { it.situation.name == evidence.cell.situation }
        ?.cells?.firstOrNull { it.stack == evidence.cell.stack }
    val lowest = cell?.ceilings?.filter { it.bySetting }?.minByOrNull { it.requestsPerSecond } ?: return null
    return "${bound(lowest)}, ${if (lowest.reached) "reached" else "not reached"}"
}

private fun bound(ceiling: Ceiling) = "${ceiling.words} = ${number(ceiling.requestsPerSecond)}/s"

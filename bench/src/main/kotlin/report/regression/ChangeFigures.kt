package threadgauge.report.regression

import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.format.number
import threadgauge.report.html.ratioDecimals
import threadgauge.wording.figureAndUnit
import threadgauge.wording.words

/** Heading of its row. */
internal val Change.title: String get() = of.figureAndUnit

/** The cell of a figure, or the step in it, as a heading: "shop, orders" or "shop, orders, buy.pay". */
internal val Change.cell: String get() = listOfNotNull(stack, situation, step?.words).joinToString()

/** The causes of the cell that [changes] are all of; null for those of a step, and without profiles. */
internal fun RecordComparison.causesOf(changes: List<Change>): CauseChange? {
    val first = changes.first()
    return causes.find { first.step == null && it.stack == first.stack && it.situation == first.situation }
}

internal fun Change.text(value: Double): String = number(value)

/** "0.912 (0.897–0.927)" */
internal fun Change.ratioText(): String {
    val decimals = ratioDecimals(ratio)
    val range = if (low == null || high == null) "no interval" else "${number(low, decimals)}–${number(high, decimals)}"
    return "${number(ratio, decimals)} ($range)"
}

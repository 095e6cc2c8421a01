package threadgauge.report.html

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.max
import kotlinx.html.FlowContent
import kotlinx.html.Tag
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.plainPercent
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.html.chart.upright
import threadgauge.report.regression.title
import threadgauge.wording.words

/**
 * All pairs of stacks with their ratios on one scale. Pairs with the best stack come first; if there are many others,
 * they are folded. With baselines, each stack is shown only with its own baseline, also by its costs.
 */
internal fun FlowContent.comparisons(subject: ReportContext, judged: SituationJudgement) {
    if (judged.comparisons.isEmpty()) return
    if (judged.verdict is Verdict.BesideBaselines) return besideBaselines(subject, judged)
    h3 { +"Comparison of stacks" }
    val reach = reach(judged.comparisons, subject.margin)
    // A stack with invalid figures is in no comparison, even if it has the highest throughput.
    val compared = judged.comparisons.flatMapTo(HashSet()) { listOf(it.stack, it.other) }
    val best = judged.cells.filter { it.stack in compared }.maxByOrNull { it.throughput?.value ?: 0.0 }?.stack
    if (judged.comparisons.size <= SHOWN_AT_ONCE) {
        return comparisonTable(subject, judged.cells, judged.comparisons, reach)
    }
    val (first, others) = judged.comparisons.partition { it.stack == best || it.other == best }
    comparisonTable(subject, judged.cells, first, reach)
    details {
        summary { +"The other ${count(others.size, "pair")}" }
        comparisonTable(subject, judged.cells, others, reach)
    }
}

private fun FlowContent.besideBaselines(subject: ReportContext, judged: SituationJudgement) {
    h3 { +"Comparison with baselines" }
    val all = (judged.comparisons + judged.otherComparisons).groupBy { it.of }
    listOf(judged.decidedBy, Compared.CPU, Compared.ALLOCATED).forEach { of ->
        val comparisons = all[of] ?: return@forEach
        comparisonTable(subject, judged.cells, comparisons, reach(comparisons, subject.margin))
    }
}

private fun FlowContent.comparisonTable(
    subject: ReportContext,
    cells: List<CellJudgement>,
    comparisons: List<Comparison>,
    reach: Double,
) = div {
    val of = comparisons.first().of
    fun name(stack: String) = cells.find { it.stack == stack }?.title ?: subject.title(stack)
    table("comparisons") {
        attributes["role"] = "table"
        caption {
            +"${of.words.replaceFirstChar(Char::uppercase)} of the first stack divided by that of the second. "
            +"Grey band: the margin, ${plainPercent(subject.margin)}. "
            +"Arrow: outside the scale."
            if (comparisons.any { it.onEqualCores }) {
                +" Ratios are corrected for differences in core speed."
            }
        }
        thead {
            tr {
                th(scope = ThScope.col) { +"First" }
                th(scope = ThScope.col) { +"Second" }
                th(scope = ThScope.col, classes = "number") { +"Ratio" }
                th(scope = ThScope.col, classes = "ratio-plot") {
                    span("scale") {
                        span { +number(exp(-reach), 2) }
                        span { +"1" }
                        span { +number(exp(reach), 2) }
                    }
                }
                th(scope = ThScope.col) { +"First stack has" }
            }
        }
        tbody {
            comparisons.forEach { comparison ->
                tr {
                    attributes["role"] = "row"
                    th(scope = ThScope.row) {
                        attributes["role"] = "rowheader"
                        markSign(subject.mark(comparison.stack))
                        +name(comparison.stack)
                    }
                    td("second") {
                        attributes["role"] = "cell"
                        markSign(subject.mark(comparison.other))
                        +name(comparison.other)
                    }
                    td("number") { attributes["role"] = "cell"; ratio(comparison) }
                    td("ratio-plot") {
                        attributes["role"] = "cell"
                        ratioStrip(comparison.ratio, comparison.low, comparison.high, reach, subject.margin)
                    }
                    td("outcome") { attributes["role"] = "cell"; +outcome(comparison.outcome) }
                }
            }
        }
    }
}

private fun FlowContent.ratio(comparison: Comparison) {
    val decimals = ratioDecimals(comparison.ratio)
    val low = comparison.low
    val high = comparison.high
    span("median") { +"${number(comparison.ratio, decimals)}×" }
    val interval =
        if (low != null && high != null) "${number(low, decimals)}–${number(high, decimals)}" else "no interval"
    span("interval") { +interval }
}

internal fun outcome(outcome: ComparisonOutcome): String = when (outcome) {
    ComparisonOutcome.MORE -> "▲ more"
    ComparisonOutcome.LESS -> "▼ less"
    ComparisonOutcome.NO_DIFFERENCE -> "= the same"
    ComparisonOutcome.CANNOT_TELL -> "? cannot tell"
}

/**
 * Ratios near 1 need three decimals: otherwise 0.998 to 1.004 would read "1 to 1". A whole ratio has decimals for its
 * interval.
 */
internal fun ratioDecimals(ratio: Double): Int = when {
    ratio < 2 -> 3
    ratio < 10 -> 2
    ratio < 100 -> 1
    else -> 0
}

/**
 * Half the width of the scale, as a natural logarithm: 2 and 1/2 are equally far from 1. It ends at 2, because on a
 * scale up to 200 the small differences that need a plot would be invisible.
 */
internal fun reachOf(ratios: List<Double>, margin: Double): Double {
    val furthest = ratios.filter { it > 0 && it.isFinite() }.maxOfOrNull { abs(ln(it)) } ?: 0.0
    return (furthest * 1.08).coerceIn(ln(1 + 3 * margin), max(ln(2.0), ln(1 + 3 * margin)))
}

private fun reach(comparisons: List<Comparison>, margin: Double): Double =
    reachOf(comparisons.flatMap { listOfNotNull(it.low, it.ratio, it.high) }, margin)

/** A ratio with its interval, 95 %, from [low] to [high], on a scale of half the width [reach]. */
internal fun Tag.ratioStrip(ratio: Double, low: Double?, high: Double?, reach: Double, margin: Double) {
    fun share(ratio: Double) = (0.5 + 0.5 * (if (ratio > 0) ln(ratio) / reach else -1.0)).coerceIn(0.0, 1.0)
    fun at(ratio: Double) = cssPercent(share(ratio))
    val from = share(1 / (1 + margin))
    val width = share(1 + margin) - from
    drawing("svg", "width" to "100%", "height" to "28", "class" to "strip", "aria-hidden" to "true") {
        drawing(
            "rect", "class" to "margin",
            "x" to cssPercent(from), "y" to "0", "width" to cssPercent(width), "height" to "28",
        )
        upright("one", "50%", 0, 28)
        if (low != null && high != null && ln(high) > -reach && ln(low) < reach) {
            drawing("line", "class" to "interval", "x1" to at(low), "x2" to at(high), "y1" to "14", "y2" to "14")
            upright("interval", at(low), 9, 19)
            upright("interval", at(high), 9, 19)
        }
        when {
            ln(ratio) > reach -> beyond("100%", "M-9 -6l9 6l-9 6z")
            ln(ratio) < -reach -> beyond("0%", "M9 -6l-9 6l9 6z")
            else -> drawing("circle", "class" to "point", "cx" to at(ratio), "cy" to "14", "r" to "4.5")
        }
    }
}

/** An arrow at the end of the scale, for a value outside it. */
private fun Tag.beyond(at: String, arrow: String) {
    drawing("svg", "x" to at, "y" to "14", "overflow" to "visible") {
        drawing("path", "class" to "point", "d" to arrow)
    }
}

/** More pairs than four stacks have. */
private const val SHOWN_AT_ONCE = 6

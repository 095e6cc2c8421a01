package threadgauge.report.html.claim

import kotlinx.html.FlowContent
import kotlinx.html.Tag
import kotlinx.html.div
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.style
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.html.chart.upright
import threadgauge.report.html.drawing
import threadgauge.wording.claim.factorText
import threadgauge.wording.claim.label

/**
 * All statements of a claim on one scale: the claimed, the published and the measured figures. Hidden from screen
 * readers, because the table below has the same. Nothing where no statement fits on a scale.
 */
internal fun FlowContent.claimPlot(subject: ReportContext, judged: ClaimJudgement) {
    val rows = judged.checks.mapNotNull { check -> check.againstClaim(subject.margin)?.let { check to it } }
    if (rows.isEmpty()) return
    val scale = ClaimScale(rows.map { it.second }, subject.margin)
    div("claim-plot") {
        attributes["aria-hidden"] = "true"
        ol("plot") {
            rows.forEach { (check, against) ->
                li("plot-row") {
                    div("plot-name") { span { +unbroken(check.label(judged.checks)) } }
                    div("plot-strip") { claimStrip(against, scale) }
                    div("plot-value") {
                        p {
                            val (found, interval) = foundTexts(check) ?: return@p
                            span("median") { +unbroken(found) }
                            +" "
                            span("interval") { +unbroken(interval) }
                        }
                    }
                }
            }
        }
        div("plot-row plot-axis") {
            div("plot-name") { +"multiples of the claim" }
            div("plot-strip") {
                scale.ticks.forEach { tick ->
                    span {
                        style =
                            "left:${cssPercent(scale.at(tick))};transform:translateX(-${cssPercent(scale.at(tick))})"
                        +tickText(tick)
                    }
                }
            }
            div("plot-value") {}
        }
    }
}

/** The legend of [claimPlot]. */
internal const val DRAWINGS =
    "In the drawings, a dot with a bar is the measured figure with its interval, " +
        "and a hollow diamond is the published figure. The claim holds on the shaded side."

/** "as claimed", "2×". */
internal fun tickText(multiple: Double) = if (multiple == 1.0) "as claimed" else "${factorText(multiple)}×"

/**
 * One statement on [scale], which has the width of the drawing; [place] is its position in an enclosing drawing. Shaded
 * where the statement holds; a hollow diamond for the published figure, a dot and its interval for the measured one.
 */
internal fun Tag.claimStrip(against: AgainstClaim, scale: ClaimScale, vararg place: Pair<String, String>) {
    fun at(multiple: Double) = cssPercent(scale.at(multiple))
    val size = if (place.isEmpty()) listOf("width" to "100%") else place.toList()
    val attributes = size + listOf("height" to "$STRIP_HEIGHT", "class" to "strip", "aria-hidden" to "true")
    drawing("svg", *attributes.toTypedArray()) {
        val (from, to) = scale.at(against.holds.start) to scale.at(against.holds.endInclusive)
        val (start, width) = cssPercent(from) to cssPercent(to - from)
        drawing("rect", "class" to "holds", "x" to start, "y" to "2", "width" to width, "height" to "24")
        scale.ticks.filter { it != 1.0 }.forEach { upright("grid", at(it), 0, STRIP_HEIGHT) }
        upright("one", at(1.0), 0, STRIP_HEIGHT)
        against.published?.let { published ->
            val (least, most) = at(published.start) to at(published.endInclusive)
            drawing("line", "class" to "published", "x1" to least, "x2" to most, "y1" to "14", "y2" to "14")
            val middle = (scale.at(published.start) + scale.at(published.endInclusive)) / 2
            drawing("svg", "x" to cssPercent(middle), "overflow" to "visible") {
                drawing("path", "class" to "published", "d" to "M0 5l9 9l-9 9l-9-9z")
            }
        }
        val (low, high) = at(against.interval.start) to at(against.interval.endInclusive)
        drawing("line", "class" to "interval", "x1" to low, "x2" to high, "y1" to "14", "y2" to "14")
        upright("interval", low, 9, 19)
        upright("interval", high, 9, 19)
        drawing("circle", "class" to "point", "cx" to at(against.found), "cy" to "14", "r" to "4.5")
    }
}

internal const val STRIP_HEIGHT = 28

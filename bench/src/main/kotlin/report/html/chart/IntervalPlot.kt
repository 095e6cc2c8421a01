package threadgauge.report.html.chart

import java.util.Locale
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow
import kotlinx.html.FlowContent
import kotlinx.html.Tag
import kotlinx.html.div
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.style
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.sureness
import threadgauge.report.format.unbroken
import threadgauge.report.format.valueText
import threadgauge.report.html.Mark
import threadgauge.report.html.MarkerShape
import threadgauge.report.html.ceilings
import threadgauge.report.html.commonCeilings
import threadgauge.report.html.drawing
import threadgauge.report.html.markSign
import threadgauge.report.html.section.words
import threadgauge.wording.words

/**
 * Plots that are drawn when the report is written: they need no script, and they are sharp on paper. Positions are per
 * cents of the width, so that they fit any screen. Hidden from screen readers, because the same facts are in the text.
 */
internal fun FlowContent.throughputPlot(subject: ReportContext, judged: SituationJudgement) {
    val top = axisTop(judged)
    val ticks = ticks(top)
    val common = commonCeilings(judged).toSet()
    ol("plot") {
        judged.cells.forEach { cell ->
            val mark = subject.mark(cell.stack)
            li("plot-row") {
                div("plot-name") { markSign(mark); span { +cell.title } }
                div("plot-strip stack-${mark.colour}") { throughputStrip(mark, cell, top, ticks) }
                div("plot-value") {
                    plotValue(cell.throughput)
                    ceilings(cell.ceilings - common)
                }
            }
        }
    }
    div("plot-row plot-axis") {
        attributes["aria-hidden"] = "true"
        div("plot-name") { +"answers/s" }
        div("plot-strip") {
            ticks.forEach { span { style = "left:${share(it, top)}"; +number(it) } }
        }
        div("plot-value") {}
    }
    common.forEach {
        p("ceiling") { +unbroken("Ceiling of all stacks: ${it.words} = ${number(it.requestsPerSecond)}/s") }
    }
}

private fun FlowContent.plotValue(figure: Figure?) = p {
    if (figure == null) {
        +"not measured"
    } else {
        span("median") { +figure.valueText() }
        +"/s "
        span("interval") { +figure.sureness() }
    }
}

/** Ceilings far above the measured values are not on the axis; the text names them. */
private fun axisTop(judged: SituationJudgement): Double {
    val figures = judged.cells.mapNotNull { it.throughput }
    val measured = figures.maxOfOrNull { it.high ?: it.values.maxOrNull() ?: it.value } ?: 1.0
    val ceilings =
        judged.cells.flatMap { it.ceilings }.map { it.requestsPerSecond }.filter { it <= measured * CEILING_IN_SIGHT }
    val top = maxOf(measured, ceilings.maxOrNull() ?: 0.0)
    return if (top > 0.0) top * 1.03 else 1.0 // nothing was answered: an axis still needs a length
}

private fun ticks(top: Double): List<Double> {
    val rough = top / 4
    val power = 10.0.pow(floor(log10(rough)))
    val step = listOf(1.0, 2.0, 2.5, 5.0, 10.0).map { it * power }.first { it >= rough }
    return generateSequence(0.0) { it + step }.takeWhile { it <= top }.toList()
}

private fun share(value: Double, top: Double) = cssPercent((value / top).coerceIn(0.0, 1.0))

/** A share of a drawing's width, as SVG and CSS write it. */
internal fun cssPercent(share: Double) = "%.2f%%".format(Locale.ROOT, share * 100)

private fun Tag.throughputStrip(mark: Mark, cell: CellJudgement, top: Double, ticks: List<Double>) {
    drawing("svg", "width" to "100%", "height" to "28", "class" to "strip", "aria-hidden" to "true") {
        ticks.forEach { upright("grid", share(it, top), 0, 28) }
        cell.ceilings.filter { it.requestsPerSecond <= top }.forEach {
            upright(if (it.reached) "ceiling reached" else "ceiling", share(it.requestsPerSecond, top), 2, 26)
        }
        val figure = cell.throughput ?: return@drawing
        drawing("line", "class" to "stem", "x1" to "0%", "x2" to share(figure.value, top), "y1" to "14", "y2" to "14")
        figure.values.forEach {
            drawing("circle", "class" to "value", "cx" to share(it, top), "cy" to "14", "r" to "2")
        }
        intervalLine(figure) { share(it, top) }
        shape(mark.shape, share(figure.value, top))
    }
}

private fun Tag.intervalLine(figure: Figure, at: (Double) -> String) {
    val low = figure.low ?: return
    val high = figure.high ?: return
    drawing("line", "class" to "interval", "x1" to at(low), "x2" to at(high), "y1" to "14", "y2" to "14")
    upright("interval", at(low), 9, 19)
    upright("interval", at(high), 9, 19)
}

internal fun Tag.upright(style: String, at: String, from: Int, to: Int) =
    drawing("line", "class" to style, "x1" to at, "x2" to at, "y1" to from.toString(), "y2" to to.toString())

/** A stack's own shape with its centre at [at]. */
internal fun Tag.shape(shape: MarkerShape, at: String, height: Int = 14, size: String = "1") {
    drawing("svg", "x" to at, "y" to height.toString(), "overflow" to "visible") {
        drawing("path", "class" to "shape", "transform" to "scale($size) translate(-8 -8)", "d" to shape.path)
    }
}

/** An overview of the situation: a line for each stack, proportional to its throughput. */
internal fun FlowContent.glancePlot(subject: ReportContext, judged: SituationJudgement) {
    val top = (judged.cells.mapNotNull { it.throughput?.value }.maxOrNull() ?: return) * 1.04
    if (top <= 0) return
    val row = if (judged.cells.size > 6) 9 else 12
    val height = judged.cells.size * row + 2
    drawing("svg", "width" to "100%", "height" to "$height", "class" to "strip glance-plot", "aria-hidden" to "true") {
        upright("axis", "0%", 0, height)
        judged.cells.forEachIndexed { index, cell ->
            val mark = subject.mark(cell.stack)
            val at = share(cell.throughput?.value ?: return@forEachIndexed, top)
            val y = index * row + row / 2 + 1
            drawing("g", "class" to "stack-${mark.colour}") {
                drawing("line", "class" to "bar", "x1" to "0%", "x2" to at, "y1" to "$y", "y2" to "$y")
                shape(mark.shape, at, y, "0.62")
            }
        }
    }
}

/** Ceilings up to this multiple of the best result are drawn. */
private const val CEILING_IN_SIGHT = 1.6

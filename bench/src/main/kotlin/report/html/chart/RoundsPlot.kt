package threadgauge.report.html.chart

import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.max
import kotlinx.html.FlowContent
import kotlinx.html.Tag
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.style
import kotlinx.html.summary
import threadgauge.model.judgement.BlockRatios
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.RoundsSeen
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.plainPercent
import threadgauge.report.html.drawing
import threadgauge.report.html.ratioDecimals
import threadgauge.report.regression.title

/**
 * Where the ratios of a situation come from: the rounds of each block, the means of the blocks, and the interval that
 * those means give. The pair of the best two is shown, the others are folded.
 */
internal fun FlowContent.roundsPlots(subject: ReportContext, judged: SituationJudgement) {
    val pairs = judged.comparisons.filter { it.rounds != null }
    if (pairs.isEmpty()) return
    val order = judged.cells.sortedByDescending { it.throughput?.value ?: 0.0 }.map { it.stack }
    val sorted = pairs.sortedBy { order.indexOf(it.stack) + order.indexOf(it.other) }
    val (first, others) = sorted.first() to sorted.drop(1)
    h3 { +"Where the ratios come from" }
    roundsPlot(subject, first)
    if (others.isEmpty()) return
    details {
        summary { +"The rounds of the other pairs" }
        others.forEach { roundsPlot(subject, it) }
    }
}

private fun FlowContent.roundsPlot(subject: ReportContext, comparison: Comparison) {
    val seen = checkNotNull(comparison.rounds)
    val scale = scaleOf(comparison, seen, subject.margin)
    p {
        +"${subject.title(comparison.stack)} ÷ ${subject.title(comparison.other)}, "
        +(if (comparison.of == Compared.THROUGHPUT) "throughput" else "p99")
        +". Each dot is a round: both stacks loaded one after the other, for a slice each. A diamond is the mean of "
        +"a block, that is of one pair of processes. The interval comes from the diamonds, because each process "
        +"differs from the next. Grey band: the margin, ${plainPercent(subject.margin)}."
    }
    ol("plot rounds") {
        seen.blocks.forEach { block ->
            li("plot-row") {
                div("plot-name") { +"Block ${block.block}" }
                div("plot-strip") { blockStrip(block, scale, subject.margin) }
                div("plot-value") { span("median") { +ratio(block.ratio) } }
            }
        }
        li("plot-row") {
            div("plot-name") { +"All blocks" }
            div("plot-strip") { wholeStrip(comparison, scale, subject.margin) }
            div("plot-value") { whole(comparison) }
        }
    }
    div("plot-row plot-axis") {
        attributes["aria-hidden"] = "true"
        div("plot-name") { +"ratio" }
        div("plot-strip") {
            TICKS.forEach { share ->
                span { style = "left:${cssPercent(share)}"; +ratio(exp(scale.low + share * (scale.high - scale.low))) }
            }
        }
        div("plot-value") {}
    }
    seen.adjusted?.let { adjusted ->
        p("note") {
            +"Other programs and the host took more of the machine from one stack than from the other in some rounds. "
            +"That explains ${percent(adjusted.explained)} of how rounds differ, so each dot is adjusted to what "
            +"it would be if both had lost as much."
            adjusted.betweenRoundsMeasured?.let { +" As measured, rounds of one block differ by ${percent(it)}." }
        }
    }
    seen.usual?.takeIf { it.blocks > 0 }?.let { usual ->
        p("note") {
            +"In this situation blocks usually differ by ${percent(usual.betweenBlocks)}. All its comparisons show "
            +"that, so it counts for this interval as much as ${number(usual.blocks, 1)} blocks more."
        }
    }
    seen.betweenRounds?.let { rounds ->
        val blocks = seen.betweenBlocks ?: 0.0
        p("note") {
            +"Rounds of one block differ by ${percent(rounds)}, and blocks by another ${percent(blocks)} "
            +"(standard deviations). "
            +(if (blocks * blocks > rounds * rounds / seen.blocks.minOf { it.rounds.size }) {
                "More blocks would narrow the interval; more rounds hardly would."
            } else {
                "More rounds or more blocks would narrow the interval."
            })
        }
    }
}

private fun FlowContent.whole(comparison: Comparison) {
    span("median") { +ratio(comparison.ratio) }
    val low = comparison.low
    val high = comparison.high
    span("interval") { +(if (low != null && high != null) " ${ratio(low)} to ${ratio(high)}" else " no interval") }
}

private fun ratio(value: Double) = number(value, ratioDecimals(value))

/** From the [low] to the [high] end, as natural logarithms of ratios. */
private class RatioScale(val low: Double, val high: Double) {
    fun share(log: Double) = ((log - low) / (high - low)).coerceIn(0.0, 1.0)

    fun at(ratio: Double) = cssPercent(share(ln(ratio)))
}

/** All that is drawn lies within, and the ratio 1 does, too, where it is near enough to be compared by eye. */
private fun scaleOf(comparison: Comparison, seen: RoundsSeen, margin: Double): RatioScale {
    val all = (seen.blocks.flatMap { it.rounds + it.ratio } + listOfNotNull(comparison.low, comparison.high))
        .filter { it > 0 && it.isFinite() }.map(::ln)
    val (least, most) = all.min() to all.max()
    val width = max(most - least, ln(1 + margin))
    val one = if (least <= width && most >= -width) ln(1 + margin) else null
    val low = minOf(least, one?.unaryMinus() ?: least)
    val high = maxOf(most, one ?: most)
    val space = (high - low) * SPACE
    return RatioScale(low - space, high + space)
}

private fun Tag.blockStrip(block: BlockRatios, scale: RatioScale, margin: Double) = strip(scale, margin) {
    block.rounds.forEach { drawing("circle", "class" to "round", "cx" to scale.at(it), "cy" to "14", "r" to "3") }
    diamond(scale.at(block.ratio))
}

private fun Tag.wholeStrip(comparison: Comparison, scale: RatioScale, margin: Double) = strip(scale, margin) {
    comparison.rounds?.blocks.orEmpty().forEach { diamond(scale.at(it.ratio), "faint") }
    val low = comparison.low
    val high = comparison.high
    if (low != null && high != null) {
        val (from, to) = scale.at(low) to scale.at(high)
        drawing("line", "class" to "interval", "x1" to from, "x2" to to, "y1" to "14", "y2" to "14")
        upright("interval", from, 7, 21)
        upright("interval", to, 7, 21)
    }
    drawing("circle", "class" to "point", "cx" to scale.at(comparison.ratio), "cy" to "14", "r" to "4.5")
}

private fun Tag.strip(scale: RatioScale, margin: Double, content: Tag.() -> Unit) =
    drawing("svg", "width" to "100%", "height" to "28", "class" to "strip", "aria-hidden" to "true") {
        val (from, to) = scale.share(-ln(1 + margin)) to scale.share(ln(1 + margin))
        if (to > from) {
            drawing(
                "rect", "class" to "margin",
                "x" to cssPercent(from), "y" to "0", "width" to cssPercent(to - from), "height" to "28",
            )
        }
        if (0.0 in scale.low..scale.high) upright("one", scale.at(1.0), 0, 28)
        content()
    }

private fun Tag.diamond(at: String, style: String = "block") =
    drawing("svg", "x" to at, "y" to "14", "overflow" to "visible") {
        drawing("path", "class" to style, "d" to "M0 -6l6 6l-6 6l-6 -6z")
    }

/** Where the axis has its labels, as shares of its width. */
private val TICKS = listOf(0.1, 0.5, 0.9)

/** Free space at each end of the scale, as a share of what is drawn. */
private const val SPACE = 0.06

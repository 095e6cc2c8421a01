package threadgauge.report.html.claim

import kotlinx.html.HTMLTag
import kotlinx.html.stream.appendHTML
import kotlinx.html.unsafe
import kotlinx.html.visit
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.report.format.count
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.html.drawing
import threadgauge.report.html.resource
import threadgauge.wording.claim.label
import threadgauge.wording.claim.words

/**
 * The claims of a run as an SVG picture: each claim with its verdict, and its statements on one scale of multiples of
 * the claim. It follows the light or dark theme of the viewer, loads nothing, and escapes all text. Null without
 * claims.
 */
fun claimsPicture(record: Record, judgement: Judgement): String? {
    if (judgement.claims.isEmpty()) return null
    val margin = record.plan.experiment.margin
    val scale = ClaimScale(judgement.claims.flatMap { it.checks }.mapNotNull { it.againstClaim(margin) }, margin)
    val claims = judgement.claims.flatMap { claim(it, scale, margin) }
    val bands = listOf(heading(judgement)) + claims + axis(scale) + origin(record)
    return buildString {
        val box = "0 0 $WIDTH ${bands.sumOf { it.height }}"
        val attributes = mapOf("viewBox" to box, "width" to "$WIDTH", "role" to "img")
        val out = appendHTML(prettyPrint = false, xhtmlCompatible = true)
        HTMLTag("svg", out, attributes, SVG, inlineTag = false, emptyTag = false).visit {
            drawing("title") { +judgement.question }
            drawing("style") { unsafe { raw(resource("/threadgauge/report/picture.css")) } }
            drawing("rect", "class" to "paper", "width" to "100%", "height" to "100%")
            bands.runningFold(0) { top, band -> top + band.height }.zip(bands) { top, band ->
                drawing("g", "transform" to "translate(0 $top)") { band.draw(this) }
            }
        }
        append('\n')
    }
}

/** A part of the picture in its full width. Bands are stacked. */
private class Band(val height: Int, val draw: HTMLTag.() -> Unit)

private fun heading(judgement: Judgement): Band {
    val question = lines(judgement.question, 80)
    val source = judgement.source?.let { lines("Claimed by: ${it.inWords()}", 130) }.orEmpty()
    val key = 46 + 24 * (question.size - 1) + 18 * source.size + 22
    return Band(key + 22) {
        question.forEachIndexed { index, line -> words("question", MARGIN, 40 + 24 * index, line) }
        source.forEachIndexed { index, line -> words("soft", MARGIN, 62 + 24 * (question.size - 1) + 18 * index, line) }
        drawing("g", "class" to "strip", "transform" to "translate($MARGIN ${key - 18})") {
            drawing("line", "class" to "interval", "x1" to "0", "x2" to "24", "y1" to "14", "y2" to "14")
            drawing("circle", "class" to "point", "cx" to "12", "cy" to "14", "r" to "4.5")
            drawing("path", "class" to "published", "d" to "M290 5l9 9l-9 9l-9-9z")
            drawing("rect", "class" to "holds", "x" to "392", "y" to "5", "width" to "24", "height" to "18")
        }
        words("soft", MARGIN + 32, key, "measured, with its 95 % interval")
        words("soft", MARGIN + 306, key, "published")
        words("soft", MARGIN + 424, key, "where the claim holds")
    }
}

private fun claim(judged: ClaimJudgement, scale: ClaimScale, margin: Double): List<Band> {
    val tag = tag(judged.verdict)
    val says = lines("“${judged.claim.says}”", 96)
    val title = Band(48 + 20 * says.size) {
        drawing("line", "class" to "rule", "x1" to "$MARGIN", "x2" to "${WIDTH - MARGIN}", "y1" to "10", "y2" to "10")
        words("verdict ${tag.style}", MARGIN, 34, "${tag.sign} ${tag.words}")
        says.forEachIndexed { index, line -> words("says", MARGIN, 56 + 20 * index, line) }
    }
    val shown = judged.checks.take(MAX_ROWS)
    val rows = shown.map { row(it, judged.checks, it.againstClaim(margin), scale) }
    val rest = judged.checks.size - shown.size
    val more = Band(24) { words("soft", MARGIN, 16, "and $rest more in the report") }.takeIf { rest > 0 }
    return listOf(title) + rows + listOfNotNull(more)
}

private fun row(
    check: ClaimCheck, all: List<ClaimCheck>, against: AgainstClaim?, scale: ClaimScale,
) = Band(STRIP_HEIGHT) {
    words("label", MARGIN, MIDDLE, shortened(check.label(all), 46))
    val found = foundTexts(check)
    if (against == null || found == null) {
        words("label", STRIP_FROM, MIDDLE, shortened(check.words(), 86))
    } else {
        claimStrip(against, scale, "x" to "$STRIP_FROM", "y" to "0", "width" to "$STRIP_WIDTH")
        drawing("text", "class" to "label", "x" to "${STRIP_FROM + STRIP_WIDTH + 16}", "y" to "$MIDDLE") {
            drawing("tspan", "class" to "found") { +unbroken(found.first) }
            drawing("tspan", "class" to "soft") { +" ${unbroken(found.second)}" }
        }
    }
}

private fun axis(scale: ClaimScale) = Band(30) {
    words("soft", MARGIN, 18, "multiples of the claim")
    val place = arrayOf("x" to "$STRIP_FROM", "y" to "0", "width" to "$STRIP_WIDTH", "height" to "30")
    drawing("svg", *place, "overflow" to "visible") {
        scale.ticks.forEach { tick ->
            drawing("text", "class" to "soft middle", "x" to cssPercent(scale.at(tick)), "y" to "18") {
                +tickText(tick)
            }
        }
    }
}

private fun origin(record: Record) = Band(34) {
    val environment = record.environment
    val cores = count(environment.cores, "core")
    words("soft", MARGIN, 16, "Threadgauge ${environment.threadgauge}, $cores, record ${record.id}")
}

private fun HTMLTag.words(style: String, x: Int, y: Int, text: String) =
    drawing("text", "class" to style, "x" to "$x", "y" to "$y") { +unbroken(text) }

/** SVG does not wrap text. */
private fun lines(text: String, longest: Int): List<String> = text.split(' ').fold(listOf("")) { lines, word ->
    val longer = "${lines.last()} $word".trim()
    if (longer.length <= longest || lines.last().isEmpty()) lines.dropLast(1) + longer else lines + word
}

private fun shortened(text: String, longest: Int) =
    if (text.length <= longest) text else text.take(longest - 1).trimEnd() + "…"

private const val SVG = "http://www.w3.org/2000/svg"
private const val WIDTH = 980
private const val MARGIN = 24
private const val STRIP_FROM = 372
private const val STRIP_WIDTH = 350

/** The baseline of text in a row. */
private const val MIDDLE = 18

/** Statements shown per claim; the report has all. */
private const val MAX_ROWS = 8

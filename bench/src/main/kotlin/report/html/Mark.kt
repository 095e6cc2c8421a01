package threadgauge.report.html

import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.HTMLTag
import kotlinx.html.Tag
import kotlinx.html.span
import kotlinx.html.visit

/**
 * The colour and shape of a stack throughout the report. Each colour has its own shape, and lines are dashed from the
 * seventh stack on, so that twelve stacks can be distinguished in black and white.
 *
 * The colours are in `style.css` (`--stack-1` to `--stack-6`), for light and for dark themes. They come from the
 * palettes of Okabe and Ito and of Paul Tol, which suit all kinds of colour vision.
 */
internal data class Mark(val colour: Int, val shape: MarkerShape, val dashed: Boolean)

/** [path] draws the shape in a square of 16 by 16; [chartName] and [rotation] are its `pointStyle` in Chart.js. */
internal enum class MarkerShape(val path: String, val chartName: String, val rotation: Int) {
    CIRCLE("M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z", "circle", 0),
    SQUARE("M3 3h10v10H3z", "rect", 0),
    TRIANGLE("M8 2l6.5 11.5h-13z", "triangle", 0),
    DIAMOND("M8 1l7 7l-7 7l-7-7z", "rectRot", 0),
    WEDGE("M8 14l6.5-11.5h-13z", "triangle", 180),
    CROSS("M6 1.5h4v4.5h4.5v4H10v4.500H6V10H1.500V6H6z", "cross", 0),
}

private const val COLOURS = 6

internal fun markOf(index: Int): Mark {
    val round = index / COLOURS
    return Mark(index % COLOURS + 1, MarkerShape.entries[(index + round) % MarkerShape.entries.size], round % 2 == 1)
}

/** A small drawing of the mark, hidden from screen readers, because the name follows. */
internal fun FlowOrPhrasingContent.markSign(mark: Mark) = span("mark stack-${mark.colour}") {
    attributes["aria-hidden"] = "true"
    drawing("svg", "viewBox" to "0 0 16 16", "width" to "14", "height" to "14") {
        drawing("path", "d" to mark.shape.path)
    }
}

/** An SVG element. Values are escaped. kotlinx.html itself has only the outermost element. */
internal fun Tag.drawing(name: String, vararg attributes: Pair<String, String>, content: HTMLTag.() -> Unit = {}) {
    HTMLTag(name, consumer, attributes.toMap(), null, inlineTag = true, emptyTag = false).visit(content)
}

package threadgauge.report.map

import java.util.Locale
import kotlinx.html.HTMLTag
import kotlinx.html.TagConsumer
import kotlinx.html.stream.appendHTML
import kotlinx.html.unsafe
import kotlinx.html.visit
import threadgauge.model.Record
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapStack
import threadgauge.model.judgement.map.StackAtPlace
import threadgauge.report.format.count
import threadgauge.report.format.megabytes
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.unbroken
import threadgauge.report.html.drawing
import threadgauge.report.html.resource
import threadgauge.wording.map.amountWords
import threadgauge.wording.map.axisWords
import threadgauge.wording.map.fitWords

/**
 * The map as an SVG picture: a panel for each stack, all with the same axes. It is on light paper, needs no colour to
 * be read, loads nothing, and escapes all text. Null where nothing was measured.
 */
fun mapPicture(record: Record, judgement: MapJudgement): String? {
    if (judgement.places.isEmpty()) return null
    return buildString {
        MapPicture(record, judgement, href = null).draw(appendHTML(prettyPrint = false, xhtmlCompatible = true))
        append('\n')
    }
}

/** A service on a map, with what a request waits and how many are under way. */
internal class MapMark(val waitMillis: Double, val users: Int, val name: String)

/**
 * [href] is the anchor of a place, by its work and users; null for a picture without links. Each panel has the [mark],
 * at its edge where that lies beyond the map.
 */
internal class MapPicture(
    private val record: Record,
    private val judgement: MapJudgement,
    private val href: ((work: Int, users: Int) -> String)?,
    private val mark: MapMark? = null,
    frame: MapFrame = MapFrame.of(listOf(judgement)),
) {
    private val cells = cellsOf(judgement)
    private val across = MapScale(frame.work.start, frame.work.endInclusive, PLOT_WIDTH)
    private val up = MapScale(frame.users.start, frame.users.endInclusive, PLOT_HEIGHT)

    /** All panels in one picture. */
    fun draw(out: TagConsumer<*>) {
        val rows = (judgement.stacks.size + 1) / 2
        val legend = HEAD + rows * PANEL_HEIGHT
        svg(out, WIDTH, legend + LEGEND_HEIGHT, record.plan.experiment.question) {
            drawing("style") { unsafe { raw(resource("/threadgauge/report/map.css")) } }
            patterns()
            paper()
            words("map-question", MARGIN, 36, record.plan.experiment.question)
            words("map-soft", MARGIN, 58, judgement.question.fitWords())
            judgement.stacks.forEachIndexed { index, stack ->
                val x = MARGIN + index % 2 * PANEL_WIDTH
                val y = HEAD + index / 2 * PANEL_HEIGHT
                drawing("g", "transform" to "translate($x $y)") { panel(stack) }
            }
            drawing("g", "transform" to "translate($MARGIN $legend)") { legend(KEYS_IN_A_ROW); source() }
        }
    }

    /** A picture for each panel and one for the legend, so that a page can put them below each other. */
    fun drawApart(out: TagConsumer<*>) {
        judgement.stacks.forEachIndexed { index, stack -> drawPanel(out, stack, isFirst = index == 0) }
        drawLegend(out)
    }

    /** The panel of [stack] by itself. The first of a page has the styles and patterns of all. */
    fun drawPanel(out: TagConsumer<*>, stack: MapStack, isFirst: Boolean) =
        svg(out, PANEL_WIDTH, PANEL_HEIGHT, "${record.plan.experiment.question} ${stack.title}") {
            if (isFirst) {
                drawing("style") { unsafe { raw(resource("/threadgauge/report/map.css")) } }
                patterns()
            }
            paper()
            panel(stack)
        }

    fun drawLegend(out: TagConsumer<*>) = svg(out, PANEL_WIDTH, (keys.size + 3) * KEY_HEIGHT, "Legend") {
        paper()
        legend(inARow = 1)
    }

    private fun svg(out: TagConsumer<*>, width: Int, height: Int, title: String, content: HTMLTag.() -> Unit) {
        val attributes = mapOf(
            "viewBox" to "0 0 $width $height", "width" to "$width", "role" to "img", "class" to "map",
            "style" to "max-width:100%;height:auto",
        )
        HTMLTag("svg", out, attributes, SVG, inlineTag = false, emptyTag = false).visit {
            drawing("title") { +title }
            content()
        }
    }

    private fun HTMLTag.paper() = drawing("rect", "class" to "map-paper", "width" to "100%", "height" to "100%")

    private fun HTMLTag.patterns() = drawing("defs") {
        val tile = arrayOf("width" to "6", "height" to "6", "patternUnits" to "userSpaceOnUse")
        drawing("pattern", "id" to "map-hatch", *tile) {
            drawing("rect", "width" to "6", "height" to "6", "fill" to "#ffffff")
            drawing("path", "d" to "M-1 1l2-2M0 6l6-6M5 7l2-2", "stroke" to "#c04a00", "stroke-width" to "1.3")
        }
        drawing(
            "pattern", "id" to "map-questions", "width" to "12", "height" to "12", "patternUnits" to "userSpaceOnUse",
        ) {
            drawing("rect", "width" to "12", "height" to "12", "fill" to "#ffffff")
            drawing("text", "class" to "map-doubt", "x" to "3", "y" to "10") { +"?" }
        }
    }

    private fun HTMLTag.panel(stack: MapStack) {
        words("map-name", LEFT, 14, stack.title)
        drawing("g", "transform" to "translate($LEFT $TOP)") {
            cells.forEach { cell ->
                val found = cell.place.stacks.firstOrNull { it.stack == stack.name } ?: return@forEach
                val rect = { tag: HTMLTag -> tag.cell(cell, found) }
                val link = href?.invoke(cell.place.work, cell.place.users)
                if (link == null) rect(this) else drawing("a", "href" to link) { rect(this) }
            }
            judgement.borders.filter { it.stack == stack.name }.forEach { border(it) }
            cells.filter { cell -> cell.place.stacks.any { it.stack == stack.name } }.forEach { cell ->
                val y = PLOT_HEIGHT - up.at(cell.place.users.toDouble())
                measured(across.at(cell.place.work.toDouble()), y)
            }
            across.ticks.forEach { tick ->
                val x = at(across.at(tick.toDouble()))
                drawing("line", "class" to "map-tick", "x1" to x, "x2" to x, "y1" to at(PLOT_HEIGHT), "y2" to TICK_END)
                drawing("text", "class" to "map-soft map-middle", "x" to x, "y" to at(PLOT_HEIGHT + 16)) {
                    +number(tick)
                }
            }
            up.ticks.forEach { tick ->
                val y = at(PLOT_HEIGHT - up.at(tick.toDouble()))
                drawing("line", "class" to "map-tick", "x1" to "-4", "x2" to "0", "y1" to y, "y2" to y)
                drawing("text", "class" to "map-soft map-end", "x" to "-7", "y" to y, "dy" to "4") { +number(tick) }
            }
            drawing("rect", "class" to "map-frame", "width" to at(PLOT_WIDTH), "height" to at(PLOT_HEIGHT))
            val middle = at(PLOT_WIDTH / 2)
            drawing("text", "class" to "map-soft map-middle", "x" to middle, "y" to at(PLOT_HEIGHT + 34)) {
                +judgement.question.axisWords()
            }
            val turned = "translate(-46 ${at(PLOT_HEIGHT / 2)}) rotate(-90)"
            drawing("text", "class" to "map-soft map-middle", "transform" to turned) { +"users at a time" }
            mark?.let { mark(it) }
        }
    }

    /** Between the users of a border, as a bar beside the places of its column. */
    private fun HTMLTag.border(border: MapBorder) {
        val top = PLOT_HEIGHT - up.at(border.toUsers.toDouble())
        val bottom = PLOT_HEIGHT - up.at(border.fromUsers.toDouble())
        val x = across.at(border.work.toDouble())
        border(if (x + BESIDE + BAR < PLOT_WIDTH) x + BESIDE else x - BESIDE, top, bottom)
    }

    private fun HTMLTag.border(x: Double, top: Double, bottom: Double) = drawing(
        "rect", "class" to "map-border", "x" to at(x - BAR / 2), "y" to at(top), "width" to at(BAR),
        "height" to at(maxOf(bottom - top, 2.0)), "rx" to "2",
    )

    private fun HTMLTag.measured(x: Double, y: Double) =
        drawing("circle", "class" to "map-measured", "cx" to at(x), "cy" to at(y), "r" to "2.2")

    private fun HTMLTag.mark(mark: MapMark) {
        val x = across.at(mark.waitMillis.coerceAtLeast(LEAST_WAIT)).coerceIn(0.0, PLOT_WIDTH)
        val y = PLOT_HEIGHT - up.at(mark.users.toDouble()).coerceIn(0.0, PLOT_HEIGHT)
        drawing("circle", "class" to "map-halo", "cx" to at(x), "cy" to at(y), "r" to "8")
        drawing("circle", "class" to "map-mark", "cx" to at(x), "cy" to at(y), "r" to "8") {
            drawing("title") { +mark.name }
        }
        val isLeft = x > PLOT_WIDTH / 2
        drawing(
            "text", "class" to if (isLeft) "map-label map-end" else "map-label",
            "x" to at(if (isLeft) x - MARK_GAP else x + MARK_GAP), "y" to at(y), "dy" to "4",
        ) { +mark.name }
    }

    private fun HTMLTag.cell(cell: MapCell, found: StackAtPlace) {
        val left = across.at(cell.work.start)
        val right = across.at(cell.work.endInclusive)
        val top = PLOT_HEIGHT - up.at(cell.users.endInclusive)
        val bottom = PLOT_HEIGHT - up.at(cell.users.start)
        drawing(
            "rect", "class" to "map-cell ${styleOf(cell, found)}", "x" to at(left), "y" to at(top),
            "width" to at(right - left), "height" to at(bottom - top),
        ) {
            val place = "${judgement.question.amountWords(cell.place.work)}, ${number(cell.place.users)} users"
            val held = found.heldAt?.let { ", held at ${number(it)} at a time by a setting" }.orEmpty()
            val cost = listOfNotNull(
                found.cpuMicrosPerRequest?.let { "${number(it)} µs of CPU each" }, found.memoryBytes?.let(::megabytes),
            ).joinToString("") { ", $it" }
            drawing("title") {
                +"$place: ${number(found.perSecond)}/s, ${percent(found.share.value)} of the fastest$held$cost"
            }
        }
    }

    private fun styleOf(cell: MapCell, found: StackAtPlace) = when {
        cell.place.doAllFit -> "map-alike"
        found.fit == Fit.YES -> "map-fits"
        found.fit == Fit.OPEN -> "map-open"
        found.heldAt != null -> "map-setting"
        else -> "map-not"
    }

    /** What decides where a setting does: the limit by its number where it is the same all over the map. */
    private val setting: String = judgement.places.flatMap { place -> place.stacks.mapNotNull { it.heldAt } }.distinct()
        .singleOrNull()?.let { "limited to ${number(it)} at a time" } ?: "limited by a setting"

    private val keys = listOf(
        "map-fits" to "fits; some others do not",
        "map-alike" to "all fit: the choice does not matter",
        "map-not" to "does not fit",
        "map-setting" to "does not fit: $setting",
        "map-open" to "too close to tell",
    )

    private fun HTMLTag.legend(inARow: Int) {
        fun x(index: Int) = LEFT + index % inARow * KEY_WIDTH
        fun y(index: Int) = 8 + index / inARow * KEY_HEIGHT
        keys.forEachIndexed { index, (style, words) ->
            val box = arrayOf("x" to "${x(index)}", "y" to "${y(index)}", "width" to "22", "height" to "14")
            drawing("rect", "class" to style, *box)
            drawing("rect", "class" to "map-frame", *box)
            words("map-soft", x(index) + 30, y(index) + 12, words)
        }
        measured(x(keys.size) + 11.0, y(keys.size) + 7.0)
        words("map-soft", x(keys.size) + 30, y(keys.size) + 12, "measured here")
        val last = keys.size + 1
        border(x(last) + 11.0, y(last) - 1.0, y(last) + 15.0)
        words("map-soft", x(last) + 30, y(last) + 12, "where a border lies (95 %)")
    }

    private fun HTMLTag.source() {
        val environment = record.environment
        words(
            "map-soft", LEFT, 100,
            "Threadgauge ${environment.threadgauge}, ${count(environment.cores, "core")}, record ${record.id}",
        )
    }

    private fun HTMLTag.words(style: String, x: Int, y: Int, text: String) =
        drawing("text", "class" to style, "x" to "$x", "y" to "$y") { +unbroken(text) }

    private fun at(pixels: Double) = "%.1f".format(Locale.ROOT, pixels)

    private companion object {
        /** Distance of the name from its mark. */
        const val MARK_GAP = 14.0

        /** Width of the bar of a border, and its distance from the places. */
        const val BAR = 6.0
        const val BESIDE = 9.0

        /** In milliseconds; a logarithmic axis has no zero. */
        const val LEAST_WAIT = 1e-3
        const val SVG = "http://www.w3.org/2000/svg"
        const val WIDTH = 980
        const val MARGIN = 24
        const val HEAD = 84
        const val PANEL_WIDTH = 476
        const val PANEL_HEIGHT = 322
        const val LEFT = 62
        const val TOP = 26
        const val PLOT_WIDTH = 384.0
        const val PLOT_HEIGHT = 232.0
        const val TICK_END = "236"
        const val LEGEND_HEIGHT = 120
        const val KEY_WIDTH = 290
        const val KEY_HEIGHT = 24
        const val KEYS_IN_A_ROW = 3
    }
}

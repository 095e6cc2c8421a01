package threadgauge.report.format

import threadgauge.model.judgement.compare.GateResult

/** [text] in GitHub's Markdown, on one line. Names come from files and logs, and must not become markup. */
internal fun escaped(text: String) = text.replace(MARKUP) { "\\" + it.value }.replace('\n', ' ')

/** How a build was judged, at a glance. */
internal val GateResult.mark: String
    get() = when (this) {
        GateResult.PASSED -> "✅"
        GateResult.FAILED -> "❌"
        GateResult.CANNOT_TELL -> "❔"
    }

/** One row of a table. */
internal fun row(cells: List<String>): String = cells.joinToString(" | ", "| ", " |")

private val MARKUP = Regex("[\\\\`*_\\[\\]<>|~#]")

package threadgauge.experiment.request

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.quoted
import threadgauge.model.request.EVENT
import threadgauge.model.request.MAX_RANDOM_LENGTH
import threadgauge.model.request.Piece
import threadgauge.model.request.nearMisses
import threadgauge.model.request.pieces

/**
 * Source of the values of `{csv:…}`, and the names of values that steps before this one have [kept]. [isGiven] without
 * a [table]: it could not be read, which was reported.
 */
internal class Rows(val table: Table?, val isGiven: Boolean, val kept: Set<String> = emptySet()) {
    fun example() = "{csv:${table?.columns?.keys?.firstOrNull() ?: "column"}}"

    companion object {
        val NONE = Rows(null, isGiven = false)
    }
}

/** Reports invalid or nearly valid placeholders in [template], and missing columns. */
internal fun ParseContext.template(node: YamlNode, template: String, rows: Rows): Boolean {
    val before = mistakeCount
    for (text in nearMisses(template).distinct()) {
        val (problem, remedy) = whatIsNear(text, rows)
        wrong(node, "${quoted(text)} is no placeholder: $problem", remedy)
    }
    val columns = pieces(template).filterIsInstance<Piece.Column>().map { it.name }
    for (column in columns.distinct()) missingColumn(node, column, rows)
    return mistakeCount == before
}

/** Maximum length of the result of [template]. */
internal fun longest(template: String, rows: Rows): Long = pieces(template, rows.kept).sumOf { piece ->
    when (piece) {
        is Piece.Text -> piece.text.length
        is Piece.Range -> piece.last.toString().length
        Piece.Sequence, Piece.Event -> Long.MAX_VALUE.toString().length
        is Piece.Random -> piece.length
        // Nobody knows what a server will send.
        is Piece.Kept -> USUAL_KEPT_LENGTH
        is Piece.Column -> rows.table?.columns?.get(piece.name)?.maxOf { it.length } ?: 0
    }.toLong()
}

private fun ParseContext.missingColumn(node: YamlNode, column: String, rows: Rows) {
    val text = "{csv:$column}"
    when {
        rows.table == null && !rows.isGiven ->
            wrong(node, "${quoted(text)} needs a file with values", "Write $CSV_EXAMPLE")
        rows.table != null && column !in rows.table.columns ->
            wrong(node, "${rows.table.file} has no column ${quoted(column)}", nearest(column, rows.table.columns.keys))
    }
}

private fun whatIsNear(text: String, rows: Rows): Pair<String, String> {
    val ends = RANGE.matchEntire(text)?.destructured?.toList()?.map { it.toBigInteger() }
    return when {
        ends != null && ends[1].bitLength() >= Long.SIZE_BITS ->
            "its numbers are too large" to "Write a range such as {1..10000}, up to ${Long.MAX_VALUE}."
        ends != null && ends[0] > ends[1] -> "the range ends before it begins" to "Write {${ends[1]}..${ends[0]}}."
        ".." in text -> "a range has two whole numbers from 0 on" to "Write {1..10000}, for example."
        text.contains("seq", ignoreCase = true) -> "the number of the request is written in one way" to "Write {seq}."
        text.contains("event", ignoreCase = true) -> "the event of a sale is written in one way" to "Write $EVENT."
        text.contains("random", ignoreCase = true) ->
            "a random text has a length from 1 to $MAX_RANDOM_LENGTH" to "Write {random:8}, for example."
        else -> "a column has a name" to "Write ${rows.example()}, for example."
    }
}

private const val USUAL_KEPT_LENGTH = 100

/** For remedies. */
internal const val PLACEHOLDERS = "{1..10000}, {seq}, {random:8}, {csv:column}"
private val RANGE = Regex("""\{([0-9]{1,1000})\.\.([0-9]{1,1000})}""")
private const val CSV_EXAMPLE = "the request as keys: {send: \"GET /articles/{csv:id}\", csv: articles.csv}"

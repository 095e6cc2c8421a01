package threadgauge.experiment.request

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.isUnprintable
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.model.request.Piece
import threadgauge.model.request.nearMisses
import threadgauge.model.request.pieces

/** Method and path, such as `GET /hello?name={random:8}`. */
internal fun ParseContext.requestLine(node: YamlNode, rows: Rows): Pair<String, String>? {
    val text = scalar(node, "request", REQUEST_EXAMPLE) ?: return null
    val method = text.substringBefore(' ')
    val path = text.substringAfter(' ', "")
    if (method.startsWith("/")) return fail(node, "${quoted(text)} has no method", "Write GET ${forRemedy(text)}.")
    if (method !in METHODS) return fail(node, "${quoted(method)} is not a method", nearest(method, METHODS))
    val isSound = template(node, path, rows)
    // Broken placeholders are reported already, so their braces are not reported again.
    val rest = nearMisses(path).fold(path) { without, text -> without.replace(text, "0") }
    whatIsWrongWith(rest, rows)?.let { (problem, remedy) -> return fail(node, problem, remedy) }
    return if (isSound) method to path else null
}

/** Problem and remedy of a path with query, or null if it is valid by RFC 3986. */
private fun whatIsWrongWith(path: String, rows: Rows): Pair<String, String>? {
    if (path.isEmpty()) return "the request has no path" to "Write $REQUEST_EXAMPLE."
    if (path.length > MAX_PATH_LENGTH) return TOO_LONG
    if ("://" in path.substringBefore('?')) {
        val local = "/" + path.substringAfter("://").substringAfter('/', "")
        return "${quoted(path)} names a server; the bench puts in each stack's own" to
            "Write only the path: ${forRemedy(local)}."
    }
    if (!path.startsWith("/")) {
        return "the path ${quoted(path)} does not begin with a slash" to "Write /${forRemedy(path)}."
    }
    if (longest(path, rows) > MAX_PATH_LENGTH) return TOO_LONG
    for (piece in pieces(path, rows.kept)) {
        val wrong = when (piece) {
            is Piece.Text -> wrongCharacter(piece.text)
            is Piece.Column -> rows.table?.let { wrongValue(it, piece.name) }
            else -> null
        }
        if (wrong != null) return wrong
    }
    return if (BAD_PERCENT.containsMatchIn(path)) {
        "a % in the path $BAD_PERCENT_WORDS" to "Write %25 for the sign itself."
    } else {
        null
    }
}

private fun wrongCharacter(text: String): Pair<String, String>? {
    val wrong = text.codePoints().toArray().firstOrNull { !mayStandInPath(it) } ?: return null
    if (isUnprintable(wrong)) return "the path holds control character U+%04X".format(wrong) to "Leave it out."
    val character = Character.toString(wrong)
    if (character in "{}") {
        val remedy = "Known here: $PLACEHOLDERS. Write ${percents(character)} for the sign itself."
        return "the path holds ${quoted(braced(text))}, which is no placeholder" to remedy
    }
    return "the path holds ${quoted(character)}, which no request line may" to
        "Write ${percents(character)} in its place, or leave it out."
}

/** From the first brace to the end of the intended placeholder. */
private fun braced(text: String): String {
    val rest = text.substring(text.indexOfFirst { it in "{}" })
    val end = rest.indexOfAny(charArrayOf('}', '/', '?', '&'))
    return when {
        end < 0 -> rest
        rest[end] == '}' -> rest.take(end + 1)
        else -> rest.take(end)
    }
}

/** A value is inserted into the path without escaping, so it must be valid there. */
private fun wrongValue(table: Table, column: String): Pair<String, String>? {
    val values = table.columns[column] ?: return null
    val row = values.indexOfFirst { value ->
        value.codePoints().anyMatch { !mayStandInPath(it) } || BAD_PERCENT.containsMatchIn(value)
    }
    if (row < 0) return null
    val place = "${table.file}, column ${quoted(column)}, row ${row + 1}"
    val problem = "the value ${quoted(values[row])} cannot stand in a path ($place)"
    return problem to "Write % and two hexadecimal digits for each sign but letters, digits and -._~ in that file."
}

private fun percents(character: String) = character.toByteArray().joinToString("") { "%%%02X".format(it) }

private fun mayStandInPath(character: Int) =
    character < 128 && (character.toChar().isLetterOrDigit() || character.toChar() in "-._~!$&'()*+,;=:@/?%")

private fun forRemedy(path: String) = quoted(path).trim('"')

private const val REQUEST_EXAMPLE = "a method and a path, such as GET /hello"
private const val MAX_PATH_LENGTH = 4_000
private val TOO_LONG = "the path is longer than $MAX_PATH_LENGTH characters" to "Servers refuse such lines."
private val METHODS = listOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
private val BAD_PERCENT = Regex("%(?![0-9A-Fa-f]{2})")
private const val BAD_PERCENT_WORDS = "is not followed by two hexadecimal digits"

package threadgauge.experiment.request

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlError
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.text
import threadgauge.model.request.Piece
import threadgauge.model.request.pieces

/** Names and values of header fields, as RFC 9110 (section 5) allows them. */
internal fun ParseContext.headers(node: YamlNode, rows: Rows): Map<String, String> {
    if (node !is YamlMap) {
        if (node !is YamlError) {
            wrong(node, "headers need names with values, and this is ${node.kind}", "Write $EXAMPLE.")
        }
        return emptyMap()
    }
    if (node.entries.size > MAX) wrong(node, "there are more than $MAX headers", "Servers reject that many.")
    val lines = HashMap<String, Int>()
    val headers = LinkedHashMap<String, String>()
    for ((key, valueNode) in node.entries) {
        val line = lines.putIfAbsent(key.text.lowercase(), key.place.line)
        if (line != null) wrong(
            key, "${quoted(key.text)} is here again; the first is on line $line", "Keep one: case does not count.",
        )
        val isNamed = headerName(key)
        val value = headerValue(valueNode, key.text, rows)
        if (isNamed && value != null) headers[key.text] = value
    }
    return headers
}

private fun ParseContext.headerName(key: YamlScalar): Boolean {
    val name = key.text
    when {
        name.length > MAX_NAME_LENGTH ->
            wrong(key, "the name of a header is longer than $MAX_NAME_LENGTH characters", "Servers refuse it.")
        !TOKEN.matches(name) ->
            wrong(
                key,
                "${quoted(name)} is not the name of a header",
                "Names have letters, digits and hyphens, such as X-Trace.",
            )
        name.lowercase() in LENGTHS ->
            wrong(key, "\"$name\" is set by the load agent, which counts the body of each request", "Leave it out.")
        name.lowercase() in OF_THE_CONNECTION ->
            wrong(
                key,
                "\"$name\" speaks of the connection, which the load agent keeps",
                "Leave it out; see \"connections\".",
            )
        else -> return true
    }
    return false
}

private fun ParseContext.headerValue(node: YamlNode, name: String, rows: Rows): String? {
    val value = text(node, quoted(name), "the value in quotes, such as \"{random:16}\"") ?: return null
    val wrong = pieces(value, rows.kept).firstNotNullOfOrNull { piece ->
        when (piece) {
            is Piece.Text -> wrongIn(piece.text)
            is Piece.Column -> rows.table?.columns?.get(piece.name)?.firstNotNullOfOrNull(::wrongIn)
            else -> null
        }
    }
    if (wrong != null) {
        val problem = "the value of ${quoted(name)} holds U+%04X".format(wrong)
        return fail(node, "$problem, which no header may", "Visible ASCII, blanks and tabs may stand there.")
    }
    if (name.equals("Expect", ignoreCase = true) && !value.equals("100-continue", ignoreCase = true)) {
        val remedy = "HTTP knows 100-continue alone; answers are checked by \"expect\" of the request."
        return fail(node, "${quoted(value)} cannot be expected", remedy)
    }
    if (longest(value, rows) > MAX_VALUE_LENGTH) {
        return fail(
            node, "the value of ${quoted(name)} can be longer than $MAX_VALUE_LENGTH characters", "Servers refuse it.",
        )
    }
    return if (template(node, value, rows)) value else null
}

private fun wrongIn(text: String): Int? =
    text.codePoints().filter { it !in 0x20..0x7E && it != '\t'.code }.findFirst()
        .let { if (it.isPresent) it.asInt else null }

/** RFC 9110, section 5.6.2. */
private val TOKEN = Regex("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
private val LENGTHS = setOf("content-length", "transfer-encoding")

/** RFC 9110, section 7.6.1. */
private val OF_THE_CONNECTION = setOf("connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade")
private const val EXAMPLE = "{Content-Type: application/json}"
private const val MAX = 100
private const val MAX_NAME_LENGTH = 200
private const val MAX_VALUE_LENGTH = 8_000

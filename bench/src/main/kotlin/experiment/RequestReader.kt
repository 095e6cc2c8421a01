package threadgauge.experiment

import threadgauge.model.Request

/** Reads a request line, such as `GET /hello?name=x`: a method and a path. */
internal fun Reading.request(node: Node): Request? {
    val text = scalar(node, "request", REQUEST_EXAMPLE) ?: return null
    val method = text.substringBefore(' ')
    val path = text.substringAfter(' ', "")
    if (method.startsWith("/")) return nothing(node, "${quoted(text)} has no method", "Write GET ${forRemedy(text)}.")
    if (method !in METHODS) return nothing(node, "${quoted(method)} is not a method", nearest(method, METHODS))
    val (problem, remedy) = whatIsWrongWith(path) ?: return Request(method, path)
    return nothing(node, problem, remedy)
}

/** Problem and remedy of a path with query, or null if it can be sent as it is. Allowed is what RFC 3986 allows. */
private fun whatIsWrongWith(path: String): Pair<String, String>? {
    if (path.isEmpty()) return "the request has no path" to "Write $REQUEST_EXAMPLE."
    if (path.length > LONGEST_PATH) return "the path is longer than $LONGEST_PATH characters" to "Servers refuse such lines."
    if ("://" in path.substringBefore('?')) {
        val local = "/" + path.substringAfter("://").substringAfter('/', "")
        return "${quoted(path)} names a server; the bench puts in each stack's own" to "Write only the path: ${forRemedy(local)}."
    }
    if (!path.startsWith("/")) return "the path ${quoted(path)} does not begin with a slash" to "Write /${forRemedy(path)}."
    if (RANGE.containsMatchIn(path)) {
        return "ranges such as {1..10} are not known in this version of Threadgauge" to "Write one path, such as /articles/1."
    }
    val wrong = path.codePoints().toArray().firstOrNull { !mayStandInPath(it) } ?: return percents(path)
    if (isUnprintable(wrong)) return "the path holds control character U+%04X".format(wrong) to "Leave it out."
    val character = Character.toString(wrong)
    val encoded = character.toByteArray().joinToString("") { "%%%02X".format(it) }
    return "the path holds ${quoted(character)}, which no request line may" to "Write $encoded in its place, or leave it out."
}

private fun percents(path: String): Pair<String, String>? =
    if (!BAD_PERCENT.containsMatchIn(path)) null
    else "a % in the path is not followed by two hexadecimal digits" to "Write %25 for the sign itself."

private fun mayStandInPath(character: Int) =
    character < 128 && (character.toChar().isLetterOrDigit() || character.toChar() in "-._~!$&'()*+,;=:@/?%")

private fun forRemedy(path: String) = quoted(path).trim('"')

private const val REQUEST_EXAMPLE = "a method and a path, such as GET /hello"
private const val LONGEST_PATH = 4_000
private val METHODS = listOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
private val RANGE = Regex("""\{\d+\.\.\d+}""")
private val BAD_PERCENT = Regex("%(?![0-9A-Fa-f]{2})")

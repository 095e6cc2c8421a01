package threadgauge.server.work

/** An invalid request. [message] is the detail for the client. Without a stack trace. */
class BadRequest(detail: String) : RuntimeException(detail, null, false, false)

/** The `ms` of a path, in milliseconds. */
fun millisOf(text: String): Long = wholeNumber("ms", text, 0..MAX_MILLIS).toLong()

/** The `length` of a path, in characters. */
fun lengthOf(text: String): Int = wholeNumber("length", text, 0..MAX_LENGTH)

/**
 * Decimal digits only, within [range]. The message does not repeat [text]: stacks decode paths differently, and answers
 * must be equal byte for byte.
 */
fun wholeNumber(name: String, text: String, range: IntRange): Int =
    text.takeIf { it.isNotEmpty() && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()?.takeIf { it in range }
        ?: throw BadRequest("$name must be a whole number from ${range.first} to ${range.last}")

package threadgauge.server.work

/** A mistake in the request. [message] is the detail that the client reads; no stack trace is taken. */
class BadRequest(detail: String) : RuntimeException(detail, null, false, false)

/** The `ms` of a path, in milliseconds. */
fun millisOf(text: String): Long = wholeNumber("ms", text, MILLIS_MOST).toLong()

/** The `length` of a path, in characters. */
fun lengthOf(text: String): Int = wholeNumber("length", text, LENGTH_MOST)

/**
 * Decimal digits only, 0 to [most]. The text itself is not repeated in the message: stacks decode a path differently,
 * and the answer has to be the same byte for byte.
 */
private fun wholeNumber(name: String, text: String, most: Int): Int =
    text.takeIf { it.isNotEmpty() && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()?.takeIf { it <= most }
        ?: throw BadRequest("$name must be a whole number from 0 to $most")

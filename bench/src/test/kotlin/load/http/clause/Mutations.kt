package threadgauge.load.http.clause

import kotlin.random.Random

/** One of [answers] with up to three changes, drawn by [random]. */
internal fun mutated(answers: List<ByteArray>, random: Random): ByteArray {
    var bytes = answers.random(random)
    repeat(random.nextInt(4)) { bytes = changed(bytes, random) }
    return bytes
}

private fun changed(bytes: ByteArray, random: Random): ByteArray {
    if (bytes.isEmpty()) return bytes
    val at = random.nextInt(bytes.size)
    val to = minOf(bytes.size, at + 1 + random.nextInt(12))
    val before = bytes.copyOfRange(0, at)
    val after = bytes.copyOfRange(to, bytes.size)
    val part = bytes.copyOfRange(at, to)
    return when (random.nextInt(8)) {
        0 -> bytes.copyOf().also { it[at] = random.nextInt(256).toByte() }
        1 -> bytes.copyOf().also { it[at] = TELLING.random(random).code.toByte() }
        2 -> before + TELLING.random(random).code.toByte() + bytes.copyOfRange(at, bytes.size)
        3 -> before + after
        4 -> before + part + part + after
        5 -> before
        6 -> withLine(bytes, random)
        else -> bytes.copyOf().also { it[at] = (it[at].toInt() xor 0x20).toByte() }
    }
}

/** With one more field, at the start of a line if there is one. */
private fun withLine(bytes: ByteArray, random: Random): ByteArray {
    val ends = bytes.indices.filter { bytes[it] == '\n'.code.toByte() }
    val at = if (ends.isEmpty()) 0 else ends.random(random) + 1
    return bytes.copyOfRange(0, at) + LINES.random(random).toByteArray() + bytes.copyOfRange(at, bytes.size)
}

/** Characters with a meaning in a head. */
private const val TELLING = "\r\n \t:;,0159aAfF\"=-+\u0000"
private val LINES = listOf(
    "Content-Length: 5\r\n", "Content-Length: 3\r\n", "Content-Length: 5, 5\r\n", "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip\r\n", "Connection: close\r\n", "X: y\r\n", " folded\r\n", "X: y\n", "5\r\nhello\r\n",
    "0\r\n\r\n", "\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 No Content\r\n",
)

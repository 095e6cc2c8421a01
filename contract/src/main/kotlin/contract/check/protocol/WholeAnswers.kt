package threadgauge.contract.check.protocol

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.Socket
import java.net.SocketTimeoutException
import threadgauge.contract.check.Check
import threadgauge.contract.check.work.waits
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Broken
import threadgauge.contract.client.Visit

/**
 * Every byte that is sent is work, and clients hide some: interim answers before the answer, what is put between the pieces of a body,
 * a trailer. So here bytes are read as they come, to the end of the connection.
 */
internal val wholeAnswerChecks: List<Check> = (listOf("/hello") + waits.keys.map { "$it/1" } + "/api/random/string/2000").map { path ->
    val endpoint = if (path.startsWith("/api")) "/api/random" else "/" + path.split('/')[1]
    Check("$endpoint sends one answer, and nothing before, within or after it", endpoint) { mustSendOneAnswer(path) }
}

private fun Visit.mustSendOneAnswer(path: String) {
    val text = bytesOf(path).toString(Charsets.ISO_8859_1)
    val head = text.substringBefore(END_OF_HEAD)
    fun must(holds: Boolean, what: () -> String) {
        if (!holds) throw Broken("GET $path, byte by byte: ${what()}")
    }
    must(OK.containsMatchIn(head)) { "expected the answer to begin with status 200, got ${Answer.quoted(text)}" }
    val sent = text.substringAfter(END_OF_HEAD, "")
    val length = SAID_LENGTH.find(head)?.groupValues?.get(1)?.toInt()
    if (IS_CHUNKED.containsMatchIn(head)) must(isPlainlyChunked(sent)) {
        "expected a few chunks and then the end, got ${Answer.quoted(sent)}"
    } else must(sent.length == (length ?: sent.length)) {
        "expected the body of $length bytes and then the end, got ${sent.length}: ${Answer.quoted(sent)}"
    }
    must(head.length <= HEAD_MOST) { "expected a head of at most $HEAD_MOST bytes, got ${head.length}" }
}

private fun Visit.bytesOf(path: String): ByteArray = try {
    connect().use { socket ->
        socket.soTimeout = patience.inWholeMilliseconds.toInt()
        val headers = mapOf("Host" to "localhost") + carried + mapOf("Connection" to "close")
        val lines = headers.entries.joinToString("") { (name, value) -> "$name: $value\r\n" }
        socket.getOutputStream().run { write("GET $path HTTP/1.1\r\n$lines\r\n".toByteArray()).also { flush() } }
        socket.readToTheEnd()
    }
} catch (failure: IOException) {
    throw Broken("GET $path with Connection: close failed: $failure")
}

/**
 * An end that TLS has not announced is one too. A server may say that it closes, and leave that to the client (Helidon 4.5): a while
 * without a byte after the answer will do.
 */
private fun Socket.readToTheEnd(): ByteArray {
    val received = ByteArrayOutputStream()
    val buffer = ByteArray(8_192)
    try {
        while (true) {
            val count = getInputStream().read(buffer)
            if (count < 0) break
            received.write(buffer, 0, count)
            if (isWhole(received.toString(Charsets.ISO_8859_1))) soTimeout = SILENCE_MILLIS
        }
    } catch (failure: IOException) {
        val isOver = if (failure is SocketTimeoutException) isWhole(received.toString(Charsets.ISO_8859_1)) else received.size() > 0
        if (!isOver) throw failure
    }
    return received.toByteArray()
}

private fun isWhole(text: String): Boolean {
    if (END_OF_HEAD !in text) return false
    val head = text.substringBefore(END_OF_HEAD)
    val sent = text.substringAfter(END_OF_HEAD)
    val length = SAID_LENGTH.find(head)?.groupValues?.get(1)?.toInt()
    return if (IS_CHUNKED.containsMatchIn(head)) isPlainlyChunked(sent) else length != null && sent.length >= length
}

/** As all our stacks make chunks: large ones, without extensions or a trailer. */
private fun isPlainlyChunked(text: String): Boolean {
    var at = 0
    repeat(CHUNKS_MOST) {
        val end = text.indexOf("\r\n", at)
        val size = if (end < 0) null else text.substring(at, end).toIntOrNull(HEXADECIMAL)
        if (size == null || size < 0 || end + 2 + size + 2 > text.length) return false
        at = end + 2 + size + 2
        if (!text.startsWith("\r\n", at - 2)) return false
        if (size == 0) return at == text.length
    }
    return false
}

/** Nobody who has more to say waits so long before saying it. */
private const val SILENCE_MILLIS = 50
private const val HEXADECIMAL = 16

/** With the last, which is empty. A body of 2,000 bytes fits into one; one or two more do no harm. */
private const val CHUNKS_MOST = 4

/** All that our stacks send takes 200 bytes, with every option switched on 700. */
private const val HEAD_MOST = 1_000
private val OK = Regex("^HTTP/1\\.[01] 200\\b")
private val IS_CHUNKED = Regex("(?im)^transfer-encoding:\\s*chunked\\s*$")

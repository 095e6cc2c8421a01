package threadgauge.contract.check.protocol

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.Socket
import java.net.SocketTimeoutException
import threadgauge.contract.check.Check
import threadgauge.contract.check.work.waits
import threadgauge.contract.client.Answer
import threadgauge.contract.client.CONTENT_LENGTH
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation
import threadgauge.contract.client.END_OF_HEAD

/**
 * Every byte that is sent is work, and HTTP clients hide some: interim answers before the answer, extensions between
 * the chunks of a body, a trailer. So these checks read the bytes as they come, to the end of the connection.
 */
internal val wholeAnswerChecks: List<Check> =
    (listOf("/hello") + waits.keys.map { "$it/1" } + "/api/random/string/2000").map { path ->
        val endpoint = if (path.startsWith("/api")) "/api/random" else "/" + path.split('/')[1]
        Check("$endpoint sends one answer, and nothing before, within or after it", endpoint) {
            mustSendOneAnswer(path)
        }
    }

private fun ContractClient.mustSendOneAnswer(path: String) {
    val text = bytesOf(path).toString(Charsets.ISO_8859_1)
    val head = text.substringBefore(END_OF_HEAD)
    fun must(holds: Boolean, what: () -> String) {
        if (!holds) throw ContractViolation("GET $path, byte by byte: ${what()}")
    }
    must(OK.containsMatchIn(head)) { "expected the answer to begin with status 200, got ${Answer.quoted(text)}" }
    val sent = text.substringAfter(END_OF_HEAD, "")
    val length = CONTENT_LENGTH.find(head)?.groupValues?.get(1)?.toInt()
    if (IS_CHUNKED.containsMatchIn(head)) must(isPlainlyChunked(sent)) {
        "expected a few chunks and then the end, got ${Answer.quoted(sent)}"
    } else must(sent.length == (length ?: sent.length)) {
        "expected the body of $length bytes and then the end, got ${sent.length}: ${Answer.quoted(sent)}"
    }
    must(head.length <= MAX_HEAD) { "expected a head of at most $MAX_HEAD bytes, got ${head.length}" }
}

private fun ContractClient.bytesOf(path: String): ByteArray = try {
    connect().use { socket ->
        socket.soTimeout = patience.inWholeMilliseconds.toInt()
        val headers = mapOf("Host" to "localhost") + carried + mapOf("Connection" to "close")
        val lines = headers.entries.joinToString("") { (name, value) -> "$name: $value\r\n" }
        socket.getOutputStream().run { write("GET $path HTTP/1.1\r\n$lines\r\n".toByteArray()).also { flush() } }
        socket.readToTheEnd()
    }
} catch (failure: IOException) {
    throw ContractViolation("GET $path with Connection: close failed: $failure")
}

/**
 * An end without a TLS close message counts. A server may announce that it closes, and leave closing to the client
 * (Helidon 4.5): then a short silence after the answer counts as the end.
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
        val isOver =
            if (failure is SocketTimeoutException) isWhole(received.toString(Charsets.ISO_8859_1))
            else received.size() > 0
        if (!isOver) throw failure
    }
    return received.toByteArray()
}

private fun isWhole(text: String): Boolean {
    if (END_OF_HEAD !in text) return false
    val head = text.substringBefore(END_OF_HEAD)
    val sent = text.substringAfter(END_OF_HEAD)
    val length = CONTENT_LENGTH.find(head)?.groupValues?.get(1)?.toInt()
    return if (IS_CHUNKED.containsMatchIn(head)) isPlainlyChunked(sent) else length != null && sent.length >= length
}

/** The form that all our stacks use: large chunks, without extensions or a trailer. */
private fun isPlainlyChunked(text: String): Boolean {
    var at = 0
    repeat(MAX_CHUNKS) {
        val end = text.indexOf("\r\n", at)
        val size = if (end < 0) null else text.substring(at, end).toIntOrNull(HEXADECIMAL)
        if (size == null || size < 0 || end + 2 + size + 2 > text.length) return false
        at = end + 2 + size + 2
        if (!text.startsWith("\r\n", at - 2)) return false
        if (size == 0) return at == text.length
    }
    return false
}

/** A server that has more to send does not pause for so long. */
private const val SILENCE_MILLIS = 50
private const val HEXADECIMAL = 16

/** With the last, which is empty. A body of 2,000 bytes fits into one; one or two more do no harm. */
private const val MAX_CHUNKS = 4

/** In bytes. Our stacks send 200, and 700 with every option switched on. */
private const val MAX_HEAD = 1_000
private val OK = Regex("^HTTP/1\\.[01] 200\\b")
private val IS_CHUNKED = Regex("(?im)^transfer-encoding:\\s*chunked\\s*$")

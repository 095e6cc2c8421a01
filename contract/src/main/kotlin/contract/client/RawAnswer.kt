package threadgauge.contract.client

import java.io.IOException
import java.io.InputStream
import java.net.Socket
import java.net.SocketTimeoutException

/**
 * What came back for [request], which was sent byte by byte: the whole head, and as much of the body as the server sent
 * before it closed or had sent all of it.
 */
internal class RawAnswer(val request: String, val head: String, val body: String, val isClosed: Boolean) {
    val status: Int? = STATUS.find(head)?.groupValues?.get(1)?.toInt()

    private companion object {
        val STATUS = Regex("^HTTP/1\\.[01] ([0-9]{3})")
    }
}

/** Sends [text] as it is, on a connection of its own. [what] names the request in messages. */
internal fun ContractClient.sendRaw(what: String, text: String): RawAnswer = try {
    connect().use { socket ->
        socket.soTimeout = patience.inWholeMilliseconds.toInt()
        socket.sendAsMuchAsItTakes(text.toByteArray())
        socket.getInputStream().readAnswer(what)
    }
} catch (failure: IOException) {
    throw ContractViolation("$what: failed: $failure")
}

/** A server may reject and close before it has read everything. Its answer can still be read. */
private fun Socket.sendAsMuchAsItTakes(bytes: ByteArray) = try {
    getOutputStream().run { write(bytes).also { flush() } }
} catch (_: IOException) {
}

private fun InputStream.readAnswer(what: String): RawAnswer {
    val received = StringBuilder()
    var isClosed = false
    val buffer = ByteArray(8_192)
    while (!received.isWhole()) {
        val count = try {
            read(buffer)
        } catch (failure: IOException) {
            if (received.isEmpty()) throw failure
            if (failure is SocketTimeoutException) break
            -1
        }
        if (count < 0) {
            isClosed = true
            break
        }
        received.append(String(buffer, 0, count, Charsets.ISO_8859_1))
    }
    val text = received.toString()
    return RawAnswer(what, text.substringBefore(END_OF_HEAD), text.substringAfter(END_OF_HEAD, ""), isClosed)
}

/**
 * Whether all has come, where the server announced the length and that it closes afterwards. Otherwise only the end of
 * the connection tells.
 */
private fun CharSequence.isWhole(): Boolean {
    val length = CONTENT_LENGTH.find(this)?.groupValues?.get(1)?.toInt() ?: return false
    val isAnnounced = contains("connection: close", ignoreCase = true) || startsWith("HTTP/1.1 200")
    return isAnnounced && END_OF_HEAD in this && this.length - indexOf(END_OF_HEAD) - END_OF_HEAD.length >= length
}

internal const val END_OF_HEAD = "\r\n\r\n"
internal val CONTENT_LENGTH = Regex("(?im)^content-length:\\s*([0-9]+)\\s*$")

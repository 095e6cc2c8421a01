package threadgauge.contract.check.protocol

import java.io.IOException
import java.io.InputStream
import java.net.Socket
import java.net.SocketTimeoutException
import threadgauge.contract.check.Check
import threadgauge.contract.check.customer.answerTo
import threadgauge.contract.client.Answer
import threadgauge.contract.client.Broken
import threadgauge.contract.client.Visit

/** Requests as no client would send them, byte by byte, and what must hold however a server refuses them. */
internal val rawChecks: List<Check> = listOf(
    Check("headers of $LARGE_HEADER bytes are served or refused with 431 or 400, and harm nobody", "/hello") {
        largeHeaders().mustBeRefused(431, 400, mayServe = true)
    },
    Check("a request target of $LARGE_TARGET bytes is served or refused with 414 or 400, and harms nobody", "/hello") {
        raw("a target of $LARGE_TARGET bytes", "GET /hello?${"a".repeat(LARGE_TARGET)} HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .mustBeRefused(414, 400, mayServe = true)
    },
    Check("a request line that is none is refused with 400, and harms nobody", "/hello") {
        raw("the request line NONSENSE", "NONSENSE\r\n\r\n").mustBeRefused(400)
    },
).map { check -> check.andThen { get("/hello").mustHaveStatus(200) } }

/** Which of the two it is, or 200: engines differ in it, and few let a stack choose. */
fun Visit.statusOfLargeHeaders(): Int? = largeHeaders().status

private fun Visit.largeHeaders() =
    raw("headers of $LARGE_HEADER bytes", "GET /hello HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"a".repeat(LARGE_HEADER)}\r\n\r\n")

/** That the body says so is asked of those stacks alone whose engine lets them ([ShippedStackContract]). */
fun Visit.tellsProblemOfUnread(): Boolean =
    raw("the request line NONSENSE", "NONSENSE\r\n\r\n").body == unread[400]

/** Of a request that no handler sees, the same bytes on all stacks that can choose them. */
private val unread = listOf(
    Triple(400, "Bad Request", "the request cannot be read"),
    Triple(414, "URI Too Long", "the request target is too long"),
    Triple(431, "Request Header Fields Too Large", "the headers are too long"),
).associate { (status, title, detail) ->
    status to """{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}"""
}

private const val LARGE_HEADER = 100_000
private const val LARGE_TARGET = 20_000

/** What came back for [request]: the whole head, and as much of the body as the server sent before it closed or had sent all of it. */
private class RawAnswer(val request: String, val head: String, val body: String, val isClosed: Boolean) {
    val status: Int? = STATUS.find(head)?.groupValues?.get(1)?.toInt()

    fun mustBeRefused(vararg statuses: Int, mayServe: Boolean = false) {
        if (mayServe && status == 200) return
        must(status in statuses.asList()) {
            "expected status ${statuses.joinToString(" or ")}, got ${status?.toString() ?: Answer.quoted(head)}"
        }
        must(!PROBLEM.containsMatchIn(head) || body == unread[status]) { "expected the problem document ${unread[status]}, got $body" }
        must(!STACK_TRACE.containsMatchIn(body)) { "expected no stack trace in the body, got ${Answer.quoted(body)}" }
        must(isClosed || CLOSE.containsMatchIn(head)) {
            "expected an end of the connection, or Connection: close, got ${Answer.quoted(head)}"
        }
    }

    private inline fun must(holds: Boolean, what: () -> String) {
        if (!holds) throw Broken("$request: ${what()}")
    }

    private companion object {
        val STATUS = Regex("^HTTP/1\\.[01] ([0-9]{3})")
        val CLOSE = Regex("(?im)^connection:\\s*close\\s*$")
        val PROBLEM = Regex("(?im)^content-type:\\s*application/problem\\+json")
    }
}

private fun Visit.raw(what: String, text: String): RawAnswer = try {
    connect().use { socket ->
        socket.soTimeout = patience.inWholeMilliseconds.toInt()
        socket.sendAsMuchAsItTakes(text.toByteArray())
        socket.getInputStream().answerTo(what)
    }
} catch (failure: IOException) {
    throw Broken("$what: failed: $failure")
}

/** A server may refuse before it has read everything, and close. Its answer can be read all the same. */
private fun Socket.sendAsMuchAsItTakes(bytes: ByteArray) = try {
    getOutputStream().run { write(bytes).also { flush() } }
} catch (_: IOException) {
}

private fun InputStream.answerTo(what: String): RawAnswer {
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

/** Where the server has said how long it is, and that it closes afterwards. Otherwise there is nothing to do but to wait for the end. */
private fun CharSequence.isWhole(): Boolean {
    val length = SAID_LENGTH.find(this)?.groupValues?.get(1)?.toInt() ?: return false
    val isSaid = contains("connection: close", ignoreCase = true) || startsWith("HTTP/1.1 200")
    return isSaid && END_OF_HEAD in this && this.length - indexOf(END_OF_HEAD) - END_OF_HEAD.length >= length
}

internal const val END_OF_HEAD = "\r\n\r\n"
internal val SAID_LENGTH = Regex("(?im)^content-length:\\s*([0-9]+)\\s*$")

package threadgauge.contract.check.protocol

import threadgauge.contract.check.Check
import threadgauge.contract.client.Answer
import threadgauge.contract.client.ContractClient
import threadgauge.contract.client.ContractViolation
import threadgauge.contract.client.RawAnswer
import threadgauge.contract.client.sendRaw

/** Requests that no client would send, byte by byte, and what must hold however a server rejects them. */
internal val malformedRequestChecks: List<Check> = listOf(
    Check("headers of $LARGE_HEADER bytes are served or rejected with 431 or 400, and the server goes on", "/hello") {
        sendLargeHeaders().mustBeRejected(431, 400, mayServe = true)
    },
    Check("a target of $LARGE_TARGET bytes is served or rejected with 414 or 400, and the server goes on", "/hello") {
        val target = "/hello?${"a".repeat(LARGE_TARGET)}"
        sendRaw("a target of $LARGE_TARGET bytes", "GET $target HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .mustBeRejected(414, 400, mayServe = true)
    },
    Check("a malformed request line is rejected with 400, and the server goes on", "/hello") {
        sendMalformedLine().mustBeRejected(400)
    },
).map { check -> check.andThen { get("/hello").mustHaveStatus(200) } }

/** 431, 400, or 200 where they are served: engines differ in it, and few let a stack choose. */
fun ContractClient.statusOfLargeHeaders(): Int? = sendLargeHeaders().status

/**
 * Whether a malformed request is answered with a problem document. Only stacks whose engine lets them choose the body
 * must do so.
 */
fun ContractClient.answersMalformedWithProblem(): Boolean = sendMalformedLine().body == problems[400]

private fun ContractClient.sendMalformedLine() = sendRaw("the request line NONSENSE", "NONSENSE\r\n\r\n")

private fun ContractClient.sendLargeHeaders(): RawAnswer {
    val header = "X-Large: ${"a".repeat(LARGE_HEADER)}"
    return sendRaw("headers of $LARGE_HEADER bytes", "GET /hello HTTP/1.1\r\nHost: localhost\r\n$header\r\n\r\n")
}

private fun RawAnswer.mustBeRejected(vararg statuses: Int, mayServe: Boolean = false) {
    fun must(holds: Boolean, what: () -> String) {
        if (!holds) throw ContractViolation("$request: ${what()}")
    }
    if (mayServe && status == 200) return
    must(status in statuses.asList()) {
        "expected status ${statuses.joinToString(" or ")}, got ${status?.toString() ?: Answer.quoted(head)}"
    }
    must(!PROBLEM.containsMatchIn(head) || body == problems[status]) {
        "expected the problem document ${problems[status]}, got $body"
    }
    must(!STACK_TRACE.containsMatchIn(body)) { "expected no stack trace in the body, got ${Answer.quoted(body)}" }
    must(isClosed || CLOSE.containsMatchIn(head)) {
        "expected an end of the connection, or Connection: close, got ${Answer.quoted(head)}"
    }
}

/** Bodies for requests that no handler sees, by status. The same bytes on all stacks that can choose them. */
private val problems = listOf(
    Triple(400, "Bad Request", "the request cannot be read"),
    Triple(414, "URI Too Long", "the request target is too long"),
    Triple(431, "Request Header Fields Too Large", "the headers are too long"),
).associate { (status, title, detail) ->
    status to """{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}"""
}

private val CLOSE = Regex("(?im)^connection:\\s*close\\s*$")
private val PROBLEM = Regex("(?im)^content-type:\\s*application/problem\\+json")
private const val LARGE_HEADER = 100_000
private const val LARGE_TARGET = 20_000

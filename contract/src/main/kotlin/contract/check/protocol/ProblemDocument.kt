package threadgauge.contract.check.protocol

import threadgauge.contract.client.Answer

/** RFC 9457, the same bytes everywhere. */
fun Answer.mustBeProblem(status: Int, title: String, detail: String): Answer {
    mustShowNoInsides()
    return mustHaveStatus(status).mustBeOfType("application/problem+json")
        .mustHaveBody("""{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}""")
}

fun Answer.mustShowNoInsides(): Answer = apply {
    must(!STACK_TRACE.containsMatchIn(text)) { "expected no stack trace in the body, got ${Answer.quoted(text)}" }
}

internal val STACK_TRACE = Regex("""\bat [\w.$/]+\([\w.]+:\d+\)|\w+(\.\w+)+(Exception|Error)\b""")

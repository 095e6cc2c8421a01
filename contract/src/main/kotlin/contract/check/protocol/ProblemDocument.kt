package threadgauge.contract.check.protocol

import threadgauge.contract.client.Answer

/** A problem document of RFC 9457, the same bytes on all stacks. */
fun Answer.mustBeProblem(status: Int, title: String, detail: String): Answer {
    mustShowNoInternals()
    return mustHaveStatus(status).mustBeOfType("application/problem+json")
        .mustHaveBody("""{"type":"about:blank","title":"$title","status":$status,"detail":"$detail"}""")
}

/** The body holds no stack trace and no name of an exception. */
fun Answer.mustShowNoInternals(): Answer = apply {
    must(!STACK_TRACE.containsMatchIn(text)) { "expected no stack trace in the body, got ${Answer.quoted(text)}" }
}

internal val STACK_TRACE = Regex("""\bat [\w.$/]+\([\w.]+:\d+\)|\w+(\.\w+)+(Exception|Error)\b""")

package threadgauge.wording.failure

import threadgauge.model.SeenPort
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.AuditFault
import threadgauge.model.failure.EndHint
import threadgauge.model.failure.ReadyStep
import threadgauge.model.failure.SaleViolation
import threadgauge.model.failure.TargetFault
import threadgauge.wording.counted
import threadgauge.wording.megabytes

/** Completes "the service failed: …". */
internal fun TargetFault.words(): String = when (this) {
    is TargetFault.NotStarted -> "$program could not be started"
    is TargetFault.NoContainer -> fault.words()
    is TargetFault.Ended -> "it ended${code(exitCode)}${hint?.words().orEmpty()}"
    is TargetFault.DidNotEnd -> "it did not stop within $seconds s"
    is TargetFault.NotReady -> "it did not ${step.words(port, hello)} in time"
    is TargetFault.NoCorrectAnswer -> "in $seconds s there was no correct answer: ${where()}${remedy()}"
    is TargetFault.WrongAnswer -> "the service at $url ${answer.words()}" + answer.remedy()?.let { ". $it" }.orEmpty()
    is TargetFault.NoWayFromAgent ->
        "cannot be reached by the load agent at $agent: $address ($detail). Have it listen on an address that the " +
            "agent's machine can connect to, and name that address where the agents are named"
    is TargetFault.PortInUse ->
        "port $port is in use by another program${process?.let { " (process $it)" }.orEmpty()}; stop that program, " +
            "or choose another --port"
    is TargetFault.BreaksContract -> "it breaks the HTTP contract: ${violations.joinToString("; ")}"
    is TargetFault.BreaksSale -> "it breaks the contract of a sale: ${violations.joinToString("; ") { it.words() }}"
    is TargetFault.NoEvent -> if (error != null) error else "it opened no event: $status $body"
    is TargetFault.NoAudit -> fault.words()
    is TargetFault.NoArchive -> "$stack did not write $archive when it ended"
    is TargetFault.NotProbed -> "it could not be probed ($error)"
    is TargetFault.PortClosed ->
        "it stopped listening on port $port while it was measured" +
            if (open.isEmpty()) ", although its process runs" else "; it listens on ${open.joinToString()} now"
    is TargetFault.NoAnswers -> "it hangs: it accepted connections and answered nothing for $seconds s"
    is TargetFault.JvmSilent -> "it hangs, or was stopped: its JVM did not respond for $seconds s"
    is TargetFault.TookTheMemory ->
        "its memory grew from ${megabytes(fromBytes)} to ${megabytes(toBytes)} while it was measured, until only " +
            "${megabytes(leftBytes)} were left for all servers, so it was stopped; give it a limit, such as -Xmx"
    TargetFault.NeverReady -> "it never became ready in the previous trial, so it is skipped"
}

/** What a port answered. */
internal fun SeenPort.words(): String = "port $port ${fault?.words() ?: "answered correctly"}"

/** Completes "port 8080 …". */
internal fun AnswerFault.words(): String = when (this) {
    is AnswerFault.UnknownHost -> "has a host name that cannot be resolved"
    AnswerFault.Refused -> "refused the connection"
    is AnswerFault.None -> "did not answer $line in $seconds s"
    AnswerFault.Certificate -> "has a certificate that is not trusted"
    is AnswerFault.Tls -> "failed the TLS handshake (${detail ?: "it does not support the requested protocol"})"
    is AnswerFault.NotHttp -> "answered $line with invalid HTTP"
    is AnswerFault.Closed ->
        "closed the connection" +
            (if (began) " after ${counted(bytes, "byte")} of its answer to $line" else " without an answer to $line")
    is AnswerFault.HeadersTooLong -> "answered $line with headers of more than $maxBytes bytes"
    is AnswerFault.OtherBody -> "answered $line with ${counted(bytes, "byte")}, which are not the expected body"
    is AnswerFault.OtherMessages -> "answered $line with ${counted(messages, "message")} in place of $expected"
    is AnswerFault.CodedBody -> "answered $line with ${counted(bytes, "compressed byte")}, which cannot be checked"
    is AnswerFault.Endless ->
        "answered $line with a body that did not end: $bytes${length?.let { " of $it" }.orEmpty()} bytes in $seconds s"
    is AnswerFault.Status -> "answered $line with status $status"
}

private fun AnswerFault.remedy(): String? = when (this) {
    AnswerFault.Certificate -> "--insecure accepts any certificate"
    is AnswerFault.CodedBody -> "Ask for gzip, which is unpacked: gzip: yes in the request (of a --request file)"
    is AnswerFault.Endless ->
        if (length == null) "An event stream cannot be measured: give another --path" else null
    is AnswerFault.HeadersTooLong -> "Allow more with --max-header-bytes, or max-header-bytes of the connections"
    is AnswerFault.Status -> when (status) {
        401, 403 -> "The service requires authentication: give headers in a --request file"
        404 -> "Give another path with --path"
        405 -> "Use another method in a --request file"
        in 300..399 -> "It redirects: give the path of the redirect with --path"
        else -> null
    }
    else -> null
}

private fun TargetFault.NoCorrectAnswer.where() = when {
    answers.isNotEmpty() && (port == null || answers.any { it.port == port }) ->
        answers.joinToString("; ") { it.words() }
    port == null -> "it opened no port"
    open.isEmpty() -> "nothing listened on port $port"
    else -> "nothing listened on port $port; it listens on ${open.joinToString()}"
}

private fun TargetFault.NoCorrectAnswer.remedy() =
    answers.firstNotNullOfOrNull { it.fault?.remedy() }?.let { ". $it" }.orEmpty()

private fun EndHint.words() = when (this) {
    EndHint.IN_BACKGROUND -> "; the command must run until the service ends, not start it in the background"
    EndHint.PORT_TAKEN -> "; another program uses its port, stop that program first"
    EndHint.PORT_TWICE -> "; it opens the same port twice: put {port} in its command"
}

private fun ReadyStep.words(port: Int, hello: String?) = when (this) {
    ReadyStep.OPEN_PORT -> "open port $port"
    ReadyStep.ANSWER_HELLO -> "answer GET /hello with \"$hello\""
    ReadyStep.SAY_READY -> "report that it is ready"
}

internal fun SaleViolation.words() = when (this) {
    is SaleViolation.SellsNothing -> "it does not sell: $answer"
    is SaleViolation.NotTheLast -> "it does not sell the last seat: $answer"
    is SaleViolation.NotSoldOut -> "it does not report that it is sold out: $answer"
    is SaleViolation.Ledger ->
        "its ledger has ${counted(reservations, "reservation")} of ${counted(taken, "seat")} instead of 2 of 2"
    is SaleViolation.NotAsked -> fault.words()
}

private fun AuditFault.words(): String {
    val of = if (events.size == 1) "event ${events.single()}" else "${events.size} events from ${events.first()} on"
    return when (kind) {
        AuditFault.Kind.NOT_IN_TIME -> "the ledger of $of was not read in time"
        AuditFault.Kind.NOT_READABLE -> "the ledger of $of could not be read"
        AuditFault.Kind.NO_SENSE -> "what was read from the ledger of $of is invalid"
        AuditFault.Kind.NOTHING -> "nothing was read from the ledger of $of"
        AuditFault.Kind.TOO_FEW -> "$read of ${events.size} lines were read from the ledger of $of"
    }
}

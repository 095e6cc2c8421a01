package threadgauge.wording.failure

import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.AuditFault
import threadgauge.model.failure.EndHint
import threadgauge.model.failure.ReadyStep
import threadgauge.model.failure.SaleViolation
import threadgauge.model.failure.TargetFault

/** Completes "the service failed: …". */
internal fun TargetFault.words(): String = when (this) {
    is TargetFault.NotStarted -> "$program could not be started"
    is TargetFault.Ended -> "it ended${code(exitCode)}${hint?.words().orEmpty()}"
    is TargetFault.DidNotEnd -> "it did not end within $seconds s"
    is TargetFault.NotReady -> "it did not ${step.words(port, hello)} in time"
    is TargetFault.NoCorrectAnswer -> "in $seconds s there was no correct answer: ${where()}${remedy()}"
    is TargetFault.WrongAnswer -> "the service at $url ${answer.words()}" + answer.remedy()?.let { ". $it" }.orEmpty()
    is TargetFault.PortInUse ->
        "port $port is in use by another program${process?.let { " (process $it)" }.orEmpty()}; stop that one, or " +
            "give another --port"
    is TargetFault.BreaksContract -> "it breaks the HTTP contract: ${violations.joinToString("; ")}"
    is TargetFault.BreaksSale -> "it breaks the contract of a sale: ${violations.joinToString("; ") { it.words() }}"
    is TargetFault.NoEvent -> if (error != null) error else "it opened no event: $status $body"
    is TargetFault.NoAudit -> fault.words()
    is TargetFault.NoArchive -> "$stack was to write $archive when it ended, and did not"
    is TargetFault.NotProbed -> "it could not be probed ($error)"
    TargetFault.NeverReady -> "it was never ready in the trial before, so it is left out"
}

/** Completes "port 8080 …". */
internal fun AnswerFault.words(): String = when (this) {
    is AnswerFault.UnknownHost -> "has a host that no address is known of"
    AnswerFault.Refused -> "refused the connection"
    is AnswerFault.None -> "did not answer $line in $seconds s"
    AnswerFault.Certificate -> "has a certificate that is not trusted"
    is AnswerFault.Tls -> "found no agreement on TLS (${detail ?: "it does not speak the protocol that was asked for"})"
    is AnswerFault.NotHttp -> "answered $line with something else than HTTP"
    is AnswerFault.Closed ->
        "closed the connection" + (if (began) " after $bytes bytes of its answer to $line" else " without an answer to $line")
    is AnswerFault.HeadersTooLong -> "answered $line with headers of more than $maxBytes bytes"
    is AnswerFault.OtherBody -> "answered $line with $bytes bytes that are not the expected body"
    is AnswerFault.CodedBody -> "answered $line with $bytes compressed bytes, which cannot be checked"
    is AnswerFault.Endless ->
        "answered $line with a body that did not end: $bytes${length?.let { " of $it" }.orEmpty()} bytes in $seconds s"
    is AnswerFault.Status -> "answered $line with status $status"
}

private fun AnswerFault.remedy(): String? = when (this) {
    AnswerFault.Certificate -> "--insecure believes any certificate"
    is AnswerFault.CodedBody -> "Ask for gzip, which is unpacked: gzip: yes in the request (of a --request file)"
    is AnswerFault.Endless -> if (length == null) "A stream of events is no request to measure: give another --path" else null
    is AnswerFault.HeadersTooLong -> "Allow more with --max-header-bytes, or max-header-bytes among the connections"
    is AnswerFault.Status -> when (status) {
        401, 403 -> "The service wants to know who asks: give headers in a --request file"
        404 -> "Give a path that it serves with --path"
        405 -> "Give another method in a --request file"
        in 300..399 -> "It sends elsewhere: give that place with --path"
        else -> null
    }
    else -> null
}

private fun TargetFault.NoCorrectAnswer.where() = when {
    answers.isNotEmpty() && (port == null || answers.any { it.port == port }) ->
        answers.joinToString("; ") { "port ${it.port} ${it.answer.words()}" }
    port == null -> "it opened no port"
    open.isEmpty() -> "nothing listened on port $port"
    else -> "nothing listened on port $port; it listens on ${open.joinToString()}"
}

private fun TargetFault.NoCorrectAnswer.remedy() =
    answers.firstNotNullOfOrNull { it.answer.remedy() }?.let { ". $it" }.orEmpty()

private fun EndHint.words() = when (this) {
    EndHint.IN_BACKGROUND -> "; a command must stay until its service ends, not start it in the background"
    EndHint.PORT_TAKEN -> "; another program has its port, stop that one first"
    EndHint.PORT_TWICE -> "; it opens the same port twice: name its port in its command as {port}"
}

private fun ReadyStep.words(port: Int, hello: String?) = when (this) {
    ReadyStep.OPEN_PORT -> "open port $port"
    ReadyStep.ANSWER_HELLO -> "answer GET /hello with \"$hello\""
    ReadyStep.SAY_READY -> "say that it is ready"
}

internal fun SaleViolation.words() = when (this) {
    is SaleViolation.SellsNothing -> "it does not sell: $answer"
    is SaleViolation.NotTheLast -> "it does not sell the last seat: $answer"
    is SaleViolation.NotSoldOut -> "it does not say that nothing is left: $answer"
    is SaleViolation.Ledger -> "its books hold $reservations reservations of $taken seats instead of 2 of 2"
    is SaleViolation.NotAsked -> fault.words()
}

private fun AuditFault.words(): String {
    val of = if (events.size == 1) "event ${events.single()}" else "${events.size} events from ${events.first()} on"
    return when (kind) {
        AuditFault.Kind.NOT_IN_TIME -> "the books of $of were not read in time"
        AuditFault.Kind.NOT_READABLE -> "the books of $of could not be read"
        AuditFault.Kind.NO_SENSE -> "what was read from the books of $of makes no sense"
        AuditFault.Kind.NOTHING -> "nothing was read from the books of $of"
        AuditFault.Kind.TOO_FEW -> "$read of ${events.size} lines were read from the books of $of"
    }
}

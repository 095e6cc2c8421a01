package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.SeenPort

/** A problem with a server under measurement. */
@Serializable
sealed interface TargetFault {
    /** The system could not start [program]. */
    @Serializable
    @SerialName("not-started")
    data class NotStarted(val program: String) : TargetFault

    /** There is no container of it. */
    @Serializable
    @SerialName("no-container")
    data class NoContainer(val fault: ContainerFault) : TargetFault

    /** Its process ended unexpectedly. [exitCode] is null where it is unknown. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int?, val hint: EndHint? = null) : TargetFault

    /** It did not stop within [seconds]. */
    @Serializable
    @SerialName("did-not-end")
    data class DidNotEnd(val seconds: Long) : TargetFault

    /** A shipped stack did not reach [step] in time. */
    @Serializable
    @SerialName("not-ready")
    data class NotReady(val step: ReadyStep, val port: Int, val hello: String? = null) : TargetFault

    /**
     * A service gave no correct answer in [seconds] after its start. [port] is the required port, null where any is
     * accepted; [open] are the ports on which it listened, and [answers] the last answers from each.
     */
    @Serializable
    @SerialName("no-correct-answer")
    data class NoCorrectAnswer(
        val seconds: Long,
        val port: Int? = null,
        val open: List<Int> = emptyList(),
        val answers: List<SeenPort> = emptyList(),
    ) : TargetFault

    /** A service that ran already, at [url], does not answer correctly. */
    @Serializable
    @SerialName("wrong-answer")
    data class WrongAnswer(val url: String, val answer: AnswerFault) : TargetFault

    /** The load agent [agent] of another machine cannot connect to it at [address], because of [detail]. */
    @Serializable
    @SerialName("no-way-from-agent")
    data class NoWayFromAgent(val agent: String, val address: String, val detail: String) : TargetFault

    /** Another program listens on [port]: the process with this ID, where it is known. */
    @Serializable
    @SerialName("port-in-use")
    data class PortInUse(val port: Int, val process: Long? = null) : TargetFault

    /** It does not keep the HTTP contract; [violations] are in the words of the contract. */
    @Serializable
    @SerialName("breaks-contract")
    data class BreaksContract(val violations: List<String>) : TargetFault

    /** It breaks the contract of a sale. Never empty. */
    @Serializable
    @SerialName("breaks-sale")
    data class BreaksSale(val violations: List<SaleViolation>) : TargetFault

    /** It opened no event: [status] and [body] of its answer, or no answer because of an [error]. */
    @Serializable
    @SerialName("no-event")
    data class NoEvent(val status: Int? = null, val body: String? = null, val error: String? = null) : TargetFault

    /** Its sales could not be counted afterwards. */
    @Serializable
    @SerialName("no-audit")
    data class NoAudit(val fault: AuditFault) : TargetFault

    /** [stack] did not write the file [archive] when it ended. */
    @Serializable
    @SerialName("no-archive")
    data class NoArchive(val stack: String, val archive: String) : TargetFault

    /** Its process could no longer be observed: the [error] in the words of the JVM. */
    @Serializable
    @SerialName("not-probed")
    data class NotProbed(val error: String) : TargetFault

    /**
     * It runs, and listens no longer on [port], where it was measured before; [open] are the ports that it opened
     * since, as far as they can be seen.
     */
    @Serializable
    @SerialName("port-closed")
    data class PortClosed(val port: Int, val open: List<Int> = emptyList()) : TargetFault

    /** It runs and accepts connections, and answered nothing for [seconds]. */
    @Serializable
    @SerialName("no-answers")
    data class NoAnswers(val seconds: Long) : TargetFault

    /** Its JVM did not respond to the probe within [seconds]: it hangs as a whole, or its process was stopped. */
    @Serializable
    @SerialName("jvm-silent")
    data class JvmSilent(val seconds: Long) : TargetFault

    /**
     * It was stopped for the sake of the others: its resident memory had grown from [fromBytes] to [toBytes] while it
     * was measured, and only [leftBytes] were left of the machine's.
     */
    @Serializable
    @SerialName("took-the-memory")
    data class TookTheMemory(val fromBytes: Long, val toBytes: Long, val leftBytes: Long) : TargetFault

    /** It never became ready in the previous trial, so it is not started again. */
    @Serializable
    @SerialName("never-ready")
    data object NeverReady : TargetFault
}

/** A likely reason for the end of a process. */
@Serializable
enum class EndHint {
    /** It exited with 0: its command starts the service in the background. */
    IN_BACKGROUND,

    /** Its log reports that its port is in use. */
    PORT_TAKEN,

    /** The same, but nobody has that port: it asked for it twice. */
    PORT_TWICE,
}

/** The steps of a start, in their order. */
@Serializable
enum class ReadyStep { OPEN_PORT, ANSWER_HELLO, SAY_READY }

/** A wrong or missing answer. [line] is method and path of the request. */
@Serializable
sealed interface AnswerFault {
    /** No address is known of [host]. */
    @Serializable
    @SerialName("unknown-host")
    data class UnknownHost(val host: String) : AnswerFault

    /** The connection was refused. */
    @Serializable
    @SerialName("refused")
    data object Refused : AnswerFault

    /** No answer within [seconds]. */
    @Serializable
    @SerialName("none")
    data class None(val line: String, val seconds: Long) : AnswerFault

    /** The certificate of the server is not trusted. */
    @Serializable
    @SerialName("certificate")
    data object Certificate : AnswerFault

    /** The TLS handshake failed. [detail] is from the TLS library; null where another protocol was negotiated. */
    @Serializable
    @SerialName("tls")
    data class Tls(val detail: String?) : AnswerFault

    /** Not HTTP, or an answer that violates it. */
    @Serializable
    @SerialName("not-http")
    data class NotHttp(val line: String) : AnswerFault

    /** The connection was closed before the answer was whole: after [bytes] of its body where it [began]. */
    @Serializable
    @SerialName("closed")
    data class Closed(val line: String, val bytes: Long, val began: Boolean) : AnswerFault

    /** The headers are longer than [maxBytes], which is a limit of ours. */
    @Serializable
    @SerialName("headers-too-long")
    data class HeadersTooLong(val line: String, val maxBytes: Int) : AnswerFault

    /** The status is right, and the body of [bytes] is not what is expected. */
    @Serializable
    @SerialName("other-body")
    data class OtherBody(val line: String, val bytes: Long) : AnswerFault

    /** The answer is a stream of [messages], and [expected] were expected. */
    @Serializable
    @SerialName("other-messages")
    data class OtherMessages(val line: String, val messages: Long, val expected: Int) : AnswerFault

    /** The body of [bytes] is compressed, and what is expected of it can be checked only as gzip that was asked for. */
    @Serializable
    @SerialName("coded-body")
    data class CodedBody(val line: String, val bytes: Long) : AnswerFault

    /** [bytes] of a body came within [seconds], of [length] where the head named it, and its end did not. */
    @Serializable
    @SerialName("endless")
    data class Endless(val line: String, val bytes: Long, val length: Long?, val seconds: Long) : AnswerFault

    /** An unexpected [status]. */
    @Serializable
    @SerialName("status")
    data class Status(val line: String, val status: Int) : AnswerFault
}

/** A violation of the contract of a sale, by sequential requests for its two seats. */
@Serializable
sealed interface SaleViolation {
    /** The first was not sold. */
    @Serializable
    @SerialName("sells-nothing")
    data class SellsNothing(val answer: String) : SaleViolation

    /** The last was not sold. */
    @Serializable
    @SerialName("not-the-last")
    data class NotTheLast(val answer: String) : SaleViolation

    /** It was sold out, and did not report it. */
    @Serializable
    @SerialName("not-sold-out")
    data class NotSoldOut(val answer: String) : SaleViolation

    /** The ledger holds [reservations] of [taken] seats instead of 2 of 2. */
    @Serializable
    @SerialName("ledger")
    data class Ledger(val reservations: Long, val taken: Long) : SaleViolation

    /** The request failed: the [fault]. */
    @Serializable
    @SerialName("not-asked")
    data class NotAsked(val fault: TargetFault.NoEvent) : SaleViolation
}

/** Why the ledger of a sale could not be read after a load over [events], at least one. */
@Serializable
data class AuditFault(val kind: Kind, val events: List<Long>, val read: Int = 0) {
    /** TOO_FEW: [read] lines, one for each event expected. */
    @Serializable
    enum class Kind { NOT_IN_TIME, NOT_READABLE, NO_SENSE, NOTHING, TOO_FEW }
}

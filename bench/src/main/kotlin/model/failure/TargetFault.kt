package threadgauge.model.failure

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What a server under measurement did wrong, or what was wrong with it. */
@Serializable
sealed interface TargetFault {
    /** The system could not start [program]. */
    @Serializable
    @SerialName("not-started")
    data class NotStarted(val program: String) : TargetFault

    /** Its process ended by itself. [exitCode] is null where nobody saw it. */
    @Serializable
    @SerialName("ended")
    data class Ended(val exitCode: Int?, val hint: EndHint? = null) : TargetFault

    /** It was asked to end, and did not within [seconds]. */
    @Serializable
    @SerialName("did-not-end")
    data class DidNotEnd(val seconds: Long) : TargetFault

    /** A stack that comes with Threadgauge did not come as far as [step] in time. */
    @Serializable
    @SerialName("not-ready")
    data class NotReady(val step: ReadyStep, val port: Int, val hello: String? = null) : TargetFault

    /**
     * A service that was started gave no correct answer in [seconds]. [port] is the only one that counts, null where
     * any would have done; [open] are those that it was seen to listen on, and [answers] what came last from each.
     */
    @Serializable
    @SerialName("no-correct-answer")
    data class NoCorrectAnswer(
        val seconds: Long,
        val port: Int? = null,
        val open: List<Int> = emptyList(),
        val answers: List<PortAnswer> = emptyList(),
    ) : TargetFault

    /** A service that ran already, at [url], does not answer correctly. */
    @Serializable
    @SerialName("wrong-answer")
    data class WrongAnswer(val url: String, val answer: AnswerFault) : TargetFault

    /** Another program listens on [port]: the one with the number [process], where that can be seen. */
    @Serializable
    @SerialName("port-in-use")
    data class PortInUse(val port: Int, val process: Long? = null) : TargetFault

    /** It does other work than the HTTP contract demands; [violations] are in the contract's own words. */
    @Serializable
    @SerialName("breaks-contract")
    data class BreaksContract(val violations: List<String>) : TargetFault

    /** It does not do what a sale of seats must. Never empty. */
    @Serializable
    @SerialName("breaks-sale")
    data class BreaksSale(val violations: List<SaleViolation>) : TargetFault

    /** It opened no event to sell seats for: [status] and [body] of its answer, or no answer because of an [error]. */
    @Serializable
    @SerialName("no-event")
    data class NoEvent(val status: Int? = null, val body: String? = null, val error: String? = null) : TargetFault

    /** What it sold could not be counted afterwards. */
    @Serializable
    @SerialName("no-audit")
    data class NoAudit(val fault: AuditFault) : TargetFault

    /** [stack] was to write the file [archive] when it ended, and did not. */
    @Serializable
    @SerialName("no-archive")
    data class NoArchive(val stack: String, val archive: String) : TargetFault

    /** Its process could no longer be looked at: the [error] as the JVM names it. */
    @Serializable
    @SerialName("not-probed")
    data class NotProbed(val error: String) : TargetFault

    /** It was never ready in the trial before, so it is not started again. */
    @Serializable
    @SerialName("never-ready")
    data object NeverReady : TargetFault
}

/** Why a process may have ended by itself. */
@Serializable
enum class EndHint {
    /** It ended well: its command starts the service in the background. */
    IN_BACKGROUND,

    /** Its log says that its port is in use. */
    PORT_TAKEN,

    /** The same, but nobody has that port: it asked for it twice. */
    PORT_TWICE,
}

/** The steps of a start, in their order. */
@Serializable
enum class ReadyStep { OPEN_PORT, ANSWER_HELLO, SAY_READY }

/** What a service answered at [port]. */
@Serializable
data class PortAnswer(val port: Int, val answer: AnswerFault)

/** What is wrong with one answer, or with there being none. [line] is method and path of the request. */
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

    /** Nothing came within [seconds]. */
    @Serializable
    @SerialName("none")
    data class None(val line: String, val seconds: Long) : AnswerFault

    /** The server's certificate is not believed. */
    @Serializable
    @SerialName("certificate")
    data object Certificate : AnswerFault

    /** No agreement on TLS. [detail] is what the library for it says; null where another protocol was agreed on. */
    @Serializable
    @SerialName("tls")
    data class Tls(val detail: String?) : AnswerFault

    /** Something else than HTTP, or an answer that breaks its rules. */
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

    /** The body of [bytes] is compressed, and what is expected of it can be checked only as gzip that was asked for. */
    @Serializable
    @SerialName("coded-body")
    data class CodedBody(val line: String, val bytes: Long) : AnswerFault

    /** [bytes] of a body came within [seconds], of [length] where the head named it, and its end did not. */
    @Serializable
    @SerialName("endless")
    data class Endless(val line: String, val bytes: Long, val length: Long?, val seconds: Long) : AnswerFault

    /** A [status] that is not the expected one. */
    @Serializable
    @SerialName("status")
    data class Status(val line: String, val status: Int) : AnswerFault
}

/** How a sale broke the rules of a sale when one caller after the other asked for its two seats. */
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

    /** Nothing was left, and it did not say so. */
    @Serializable
    @SerialName("not-sold-out")
    data class NotSoldOut(val answer: String) : SaleViolation

    /** The ledger holds [reservations] of [taken] seats instead of 2 of 2. */
    @Serializable
    @SerialName("ledger")
    data class Ledger(val reservations: Long, val taken: Long) : SaleViolation

    /** It could not be asked: the [fault]. */
    @Serializable
    @SerialName("not-asked")
    data class NotAsked(val fault: TargetFault.NoEvent) : SaleViolation
}

/** Why the ledger of a sale could not be read after a load over [events], of which there is at least one. */
@Serializable
data class AuditFault(val kind: Kind, val events: List<Long>, val read: Int = 0) {
    /** TOO_FEW: [read] of as many lines as there are events came. */
    @Serializable
    enum class Kind { NOT_IN_TIME, NOT_READABLE, NO_SENSE, NOTHING, TOO_FEW }
}

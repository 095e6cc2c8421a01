package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * A bound on throughput that no concurrency model can pass. At the ceiling of a setting a result was decided by that
 * setting.
 */
@Serializable
data class Ceiling(
    /** How it comes about. */
    val cause: CeilingCause,
    val requestsPerSecond: Double,
    /** The result is within a tenth of it. */
    val reached: Boolean,
    /** A setting makes it, so that another setting would move it; otherwise the processor does. */
    val bySetting: Boolean = cause !is CeilingCause.Processor,
)

/** What bounds throughput. Each follows from Little's law: so many at a time, each for so long. */
@Serializable
sealed interface CeilingCause {
    /** [count] at a time ÷ the sum of [waits]. [presence] is the part of the load for which each is there, 0 to 1. */
    @Serializable
    @SerialName("concurrency")
    data class Concurrency(
        val count: Int,
        val of: LimitedThing,
        val waits: List<LeastWait>,
        val presence: Double = 1.0,
    ) : CeilingCause

    /** [count] × [answers] whole answers, each as long as the sum of [waits], ÷ the load's [loadSeconds]. */
    @Serializable
    @SerialName("whole-answers")
    data class WholeAnswers(
        val count: Int,
        val of: LimitedThing,
        val answers: Double,
        val waits: List<LeastWait>,
        val loadSeconds: Double,
    ) : CeilingCause

    /** [count] at a time ÷ ([calls] of a request × [millisEach]). */
    @Serializable
    @SerialName("calls")
    data class Calls(val count: Int, val of: LimitedThing, val calls: Int, val millisEach: Long) : CeilingCause

    /** [cores] ÷ the CPU that a request takes. */
    @Serializable
    @SerialName("processor")
    data class Processor(val cores: Int, val cpuMicrosPerRequest: Double) : CeilingCause

    /** The requests that arrive: nobody can answer more. */
    @Serializable
    @SerialName("arrivals")
    data object Arrivals : CeilingCause
}

/** Of what there are only so many. */
@Serializable
enum class LimitedThing { USERS, HANDLERS, CONNECTIONS, THREADS_FOR_CALLS, CLIENT_CONNECTIONS }

/** A time that each request takes at least, in milliseconds. */
@Serializable
data class LeastWait(val kind: WaitKind, val millis: Double)

/** What a request waits for. */
@Serializable
enum class WaitKind { SERVICE, THINKING, NETWORK }

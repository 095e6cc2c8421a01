package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * An upper bound on throughput, whatever the concurrency model. At the ceiling of a setting, the setting decides the
 * result.
 */
@Serializable
data class Ceiling(
    /** Its cause. */
    val cause: CeilingCause,
    val requestsPerSecond: Double,
    /** The result is within 10 % of it. */
    val reached: Boolean,
    /** A setting causes it, so that another setting would change it; otherwise the CPU does. */
    val bySetting: Boolean = cause !is CeilingCause.Processor,
)

/**
 * Causes of bounds on throughput. Each follows from Little's law: a limited number at a time, each for a minimum time.
 */
@Serializable
sealed interface CeilingCause {
    /**
     * [count] at a time ÷ the sum of [waits]. [presence] is the mean share of the load for which each is present, 0 to
     * 1.
     */
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

    /** [count] of a pool that a profile shows used up ÷ the time for which a request holds one. */
    @Serializable
    @SerialName("held")
    data class Held(
        val count: Int,
        val of: HeldThing,
        /** Of the pool, or of the group of threads; null where unknown. */
        val name: String?,
        val millisEach: Double,
    ) : CeilingCause

    /** [cores] ÷ the CPU time of a request. */
    @Serializable
    @SerialName("processor")
    data class Processor(val cores: Int, val cpuMicrosPerRequest: Double) : CeilingCause

    /** The arrival rate. */
    @Serializable
    @SerialName("arrivals")
    data object Arrivals : CeilingCause
}

/** What is limited. */
@Serializable
enum class LimitedThing { USERS, HANDLERS, CONNECTIONS, THREADS_FOR_CALLS, CLIENT_CONNECTIONS }

/** What each request holds for a while. */
@Serializable
enum class HeldThing { POOLED_CONNECTIONS, REQUEST_THREADS, TASK_THREADS }

/** Minimum time of each request, in milliseconds. */
@Serializable
data class LeastWait(val kind: WaitKind, val millis: Double)

/** Parts of the time of a request. */
@Serializable
enum class WaitKind { SERVICE, THINKING, NETWORK }

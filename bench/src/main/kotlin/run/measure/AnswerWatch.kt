package threadgauge.run.measure

import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.decode
import threadgauge.load.agent.summary
import threadgauge.model.Outcome

/**
 * Tracks which requests the loads on one target left unanswered, and derives how long the target may stay silent
 * because of them. For one thread.
 */
internal class AnswerWatch {
    private var last: AgentMessage.Done? = null
    private var hasAnswered = false

    /** Longest service time in loads that left nothing unanswered; 0 before the first of them. */
    private var longestNanos = 0L

    /**
     * Requests of the last load that were not answered. Many servers carry them out although no client waits any more.
     */
    val leftovers: Long get() = last?.run { unfinished + UNANSWERED.sumOf { failures[it] ?: 0 } } ?: 0

    /** True if a connection was refused in the last load. */
    val wasRefused: Boolean get() = last?.run { Outcome.REFUSED in failures } == true

    /**
     * True if no counted request of the last load was answered, and nothing shows that the target is gone. A request
     * that hangs since the lead-in is not counted.
     */
    val wasSilent: Boolean
        get() = last?.run { answered == 0L && failures.keys.all { it in UNANSWERED } } == true

    /** Takes the result of a load. */
    fun see(done: AgentMessage.Done) {
        last = done
        if (done.answered == 0L) return
        hasAnswered = true
        if (leftovers == 0L) {
            longestNanos = maxOf(longestNanos, (summary(decode(done.serviceTime)).maxMicros * 1e3).toLong())
        }
    }

    /**
     * How long a single user waits for an answer, in nanoseconds: at least [silenceNanos], and the time that the target
     * needs to work off the leftovers one after the other. If that is unknown, because every load left some, it is
     * [LEFTOVERS_NANOS]. A target that never answered gets [ALONE_PATIENCE_NANOS].
     */
    fun patienceNanos(silenceNanos: Long): Long = when {
        !hasAnswered -> maxOf(silenceNanos, ALONE_PATIENCE_NANOS)
        longestNanos == 0L -> LEFTOVERS_NANOS
        else -> maxOf(silenceNanos, leftovers * longestNanos).coerceAtMost(LEFTOVERS_NANOS)
    }
}

/** Outcomes of a request, or its connection, when a server is too busy to answer. */
private val UNANSWERED = setOf(Outcome.RESPONSE_TIMEOUT, Outcome.CONNECT_TIMEOUT)

/**
 * How long a single user waits for an answer: longer than the response timeout of a request
 * (`WorkOrder.responseTimeoutNanos`).
 */
internal const val ALONE_PATIENCE_NANOS = 65_000_000_000L

/** Most time that a target gets to work off what a load left: eight thousand requests of 5 s take 200 threads 200 s. */
internal const val LEFTOVERS_NANOS = 300_000_000_000L

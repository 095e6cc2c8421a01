package threadgauge.run.measure

import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.decode
import threadgauge.load.agent.summary
import threadgauge.model.Outcome

/** What the loads on one target left without an answer, and how long it may be silent for that. For one thread. */
internal class AnswerWatch {
    private var last: AgentMessage.Done? = null
    private var hasAnswered = false

    /** Of loads that left nothing: 0 before the first. */
    private var longestNanos = 0L

    /** Requests of the last load that nobody had answered. Many servers carry them out although nobody waits. */
    val leftovers: Long get() = last?.run { unfinished + UNANSWERED.sumOf { failures[it] ?: 0 } } ?: 0

    /** In the last load, somebody was refused a connection. */
    val wasRefused: Boolean get() = last?.run { Outcome.REFUSED in failures } == true

    /**
     * The last load got no answer at all that counts, and no sign that the target is not there. Who hangs from a
     * lead-in on leaves nothing: requests of that are not counted.
     */
    val wasSilent: Boolean
        get() = last?.run { answered == 0L && failures.keys.all { it in UNANSWERED } } == true

    fun see(done: AgentMessage.Done) {
        last = done
        if (done.answered == 0L) return
        hasAnswered = true
        if (leftovers == 0L) {
            longestNanos = maxOf(longestNanos, (summary(decode(done.serviceTime)).maxMicros * 1e3).toLong())
        }
    }

    /**
     * How long a single user waits for an answer, in nanoseconds: at least [silenceNanos], and the time in which the
     * target can do what was left, one after the other. Where that is unknown, because every load left some, it is
     * [LEFTOVERS_NANOS]; a target that never answered has the time of the longest request.
     */
    fun patienceNanos(silenceNanos: Long): Long = when {
        !hasAnswered -> maxOf(silenceNanos, ALONE_PATIENCE_NANOS)
        longestNanos == 0L -> LEFTOVERS_NANOS
        else -> maxOf(silenceNanos, leftovers * longestNanos).coerceAtMost(LEFTOVERS_NANOS)
    }
}

/** What becomes of a request, or its connection, where a server is too busy to answer. */
private val UNANSWERED = setOf(Outcome.RESPONSE_TIMEOUT, Outcome.CONNECT_TIMEOUT)

/** How long a single user waits for its answer: longer than the longest request may take. */
internal const val ALONE_PATIENCE_NANOS = 65_000_000_000L

/**
 * How long a target may take for what a load has left. Eight thousand requests of five seconds take 200 threads 205 s.
 */
internal const val LEFTOVERS_NANOS = 300_000_000_000L

package threadgauge.target

import java.util.concurrent.ConcurrentHashMap
import threadgauge.model.failure.AnswerFault

/**
 * Asks every port of a service that starts, all of them at the same time, so that one that accepts and never answers
 * holds nobody up. [ask] puts the request to a host and a port and reports what was wrong with the answer, null where
 * it was correct; it is called on threads of its own, must end by itself or when interrupted, and never throws.
 *
 * Belongs to one thread; [close] gives up what is under way.
 */
internal class PortsAsked(private val ask: (host: String, port: Int) -> AnswerFault?) : AutoCloseable {
    private val asked = ConcurrentHashMap<Int, Asked>()

    /** What came last from each port that has answered, or was waited for in vain. */
    val answers: List<Answer> get() = asked.values.mapNotNull { it.last }.sortedBy { it.port }

    /** Asks each of [open] that is not being asked, and once more some time after an answer that is not correct. */
    fun ask(open: List<Listening>) {
        for ((port, places) in open.groupBy { it.port }) asked.computeIfAbsent(port) { Asked(port) }.ask(places)
    }

    override fun close() = asked.values.forEach { it.thread?.interrupt() }

    /** [fault] is null for a correct answer, which came at [nanos] of `System.nanoTime` from [at]. */
    class Answer(val port: Int, val at: Listening, val fault: AnswerFault?, val nanos: Long, val since: Long)

    private inner class Asked(private val port: Int) {
        @Volatile
        var last: Answer? = null

        @Volatile
        var thread: Thread? = null

        fun ask(places: List<Listening>) {
            val before = last
            val isTooSoon = before != null && System.nanoTime() - before.nanos < pauseAfter(before.fault)
            if (isTooSoon || thread?.isAlive == true) return
            thread = Thread.ofVirtual().name("ask-$port").start {
                val place = places.first()
                var fault = ask(place.host, port)
                var at = place
                if (fault == AnswerFault.Refused && place.otherHost != null) {
                    at = place.copy(host = place.otherHost, otherHost = null)
                    fault = ask(at.host, port)
                }
                val now = System.nanoTime()
                val since = before?.takeIf { it.fault == fault }?.since ?: now
                last = Answer(port, at, fault, now, since)
            }
        }
    }

    private companion object {
        /** Each request may leave a line in the log of the service. */
        const val SLOW_NANOS = 200_000_000L
        const val FAST_NANOS = 10_000_000L

        fun pauseAfter(fault: AnswerFault?) = if (fault == AnswerFault.Refused) FAST_NANOS else SLOW_NANOS
    }
}

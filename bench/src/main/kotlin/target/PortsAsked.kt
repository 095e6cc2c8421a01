package threadgauge.target

import java.util.concurrent.ConcurrentHashMap
import threadgauge.model.failure.AnswerFault

/**
 * Sends a request to every open port of a starting service, to all at the same time, so that a port that accepts and
 * never answers delays none of the others. [ask] sends the request to a host and a port and returns what was wrong with
 * the answer, null for a correct one. It runs on threads of its own, must end by itself or when interrupted, and must
 * not throw.
 *
 * Belongs to one thread; [close] interrupts requests under way.
 */
internal class PortsAsked(private val ask: (host: String, port: Int) -> AnswerFault?) : AutoCloseable {
    private val asked = ConcurrentHashMap<Int, Asked>()

    /** The last result of each port that has answered or timed out, in the order of ports. */
    val answers: List<Answer> get() = asked.values.mapNotNull { it.last }.sortedBy { it.port }

    /**
     * Sends a request to each port of [open] without one under way, and repeats it some time after an incorrect answer.
     */
    fun ask(open: List<Listening>) {
        for ((port, places) in open.groupBy { it.port }) asked.computeIfAbsent(port) { Asked(port) }.ask(places)
    }

    override fun close() = asked.values.forEach { it.thread?.interrupt() }

    /**
     * One result of [port], received at [nanos] of `System.nanoTime` from [at]. [fault] is null for a correct answer;
     * it has been the same since [since], of the same clock.
     */
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
        /** Pause after an answer: each request may leave a line in the log of the service. */
        const val SLOW_NANOS = 200_000_000L

        /** Pause after a refused connection, which leaves no trace in the service. */
        const val FAST_NANOS = 10_000_000L

        fun pauseAfter(fault: AnswerFault?) = if (fault == AnswerFault.Refused) FAST_NANOS else SLOW_NANOS
    }
}

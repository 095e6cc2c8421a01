package threadgauge.load.record

import java.util.concurrent.ConcurrentLinkedQueue
import org.HdrHistogram.Histogram
import threadgauge.model.Outcome

/**
 * Counts and latencies of one event loop's requests. Single writer: belongs to that loop's thread.
 *
 * Latencies are assigned to the second in which a request was *intended*, so that a stall shows in the second that it
 * affected. Sent, answered and failed requests are counted in the second in which that happened. Seconds count from
 * [startNanos] of `System.nanoTime`.
 */
class LoadRecorder(private val startNanos: Long, private val histograms: HistogramPool = HistogramPool()) {
    private val seconds = ArrayList<SecondRecord>()
    private var taken = 0

    /** From sending a request to the last byte of a correct answer, in nanoseconds. */
    val serviceTime = newRecordingHistogram()

    /** From the intended time to sending, in nanoseconds. */
    val sendDelay = newRecordingHistogram()

    /** Counts by [Outcome.ordinal]. */
    val failures = LongArray(Outcome.entries.size)

    /** Requests that were due: sent or unsent. */
    var scheduled = 0L
        private set
    var sent = 0L
        private set
    var answered = 0L
        private set
    var unsent = 0L
        private set
    var unfinished = 0L
        private set

    /** How often a request was sent again, because the server had not processed it. */
    var repeated = 0L
        private set

    /** Requests under way. */
    val active get() = (sent - answered - unfinished - failures.sum()).toInt()

    fun sent(intendedNanos: Long, nowNanos: Long) {
        scheduled++
        sent++
        second(intendedNanos).open++
        second(nowNanos).sent++
        sendDelay.recordValue(maxOf(0, nowNanos - intendedNanos))
    }

    /** A request that already counts as sent is sent again. */
    fun repeated() {
        repeated++
    }

    /** A request intended for [intendedNanos] will be sent. Its second stays open until [expectNoMore]. */
    fun expect(intendedNanos: Long) {
        second(intendedNanos).open++
    }

    /** To be called once for each [expect]. */
    fun expectNoMore(intendedNanos: Long) {
        second(intendedNanos).open--
    }

    /** A correct answer arrived. */
    fun answered(intendedNanos: Long, sentNanos: Long, nowNanos: Long) {
        answered++
        second(nowNanos).answered++
        serviceTime.recordValue(nowNanos - sentNanos)
        ended(intendedNanos, nowNanos)
    }

    /** Counts a failure. Only timeouts enter the latency: other failures say nothing about how long an answer takes. */
    fun failed(intendedNanos: Long, nowNanos: Long, outcome: Outcome) {
        failures[outcome.ordinal]++
        second(nowNanos).failed++
        val timed = outcome == Outcome.RESPONSE_TIMEOUT || outcome == Outcome.CONNECT_TIMEOUT
        if (timed) ended(intendedNanos, nowNanos) else second(intendedNanos).open--
    }

    /** A request without an answer at the end of the load enters the latency as a censored value: its age so far. */
    fun unfinished(intendedNanos: Long, nowNanos: Long) {
        unfinished++
        ended(intendedNanos, nowNanos)
    }

    /** A request that was due and never sent, censored likewise. */
    fun unsent(intendedNanos: Long, nowNanos: Long) {
        scheduled++
        unsent++
        second(intendedNanos).latency.recordValue(maxOf(0, nowNanos - intendedNanos))
    }

    /**
     * Seconds that cannot change any more, each returned once, in order: they are over at [nowNanos], every request
     * intended in them has ended, and none still to be sent was intended in them ([nextIntendedNanos]).
     */
    fun takeClosed(nowNanos: Long, nextIntendedNanos: Long): List<SecondRecord> {
        val first = taken
        while (taken < index(minOf(nowNanos, nextIntendedNanos)) && second(taken).open == 0) taken++
        return if (taken == first) emptyList() else seconds.subList(first, taken).toList()
    }

    /** The remaining seconds, when the load is over. */
    fun takeRest(): List<SecondRecord> = seconds.subList(taken, seconds.size).toList().also { taken = seconds.size }

    private fun ended(intendedNanos: Long, nowNanos: Long) {
        val second = second(intendedNanos)
        second.open--
        second.latency.recordValue(maxOf(0, nowNanos - intendedNanos))
    }

    private fun index(nanos: Long) = (maxOf(0, nanos - startNanos) / NANOS_PER_SECOND).coerceAtMost(MAX_SECONDS).toInt()

    private fun second(nanos: Long) = second(index(nanos))

    private fun second(index: Int): SecondRecord {
        while (seconds.size <= index) seconds.add(SecondRecord(seconds.size, histograms.take()))
        return seconds[index]
    }
}

/** One second of one event loop's load. */
class SecondRecord(val index: Int, val latency: Histogram) {
    var sent = 0L
        internal set
    var answered = 0L
        internal set
    var failed = 0L
        internal set

    /** Requests intended in this second that are expected, or have been sent, and have not ended. */
    var open = 0
        internal set
}

/** Histograms that have been read and can be reused. Thread-safe. */
class HistogramPool {
    private val free = ConcurrentLinkedQueue<Histogram>()

    /** A histogram for recording, empty. */
    fun take(): Histogram = free.poll() ?: newRecordingHistogram()

    /** Returns a histogram that is no longer used; it is reset. */
    fun give(histogram: Histogram) {
        histogram.reset()
        free.add(histogram)
    }
}

/**
 * Nanoseconds, three significant digits, resolution of 1 µs, growing as needed. Every histogram of the project has this
 * form, so that merging is exact addition.
 */
fun newHistogram(): Histogram = histogramUpTo(2_000_000)

/**
 * For recording: 120 KB, large enough that a slow answer does not make it grow, which throws and copies inside the
 * event loop.
 */
private fun newRecordingHistogram(): Histogram = histogramUpTo(10 * NANOS_PER_SECOND)

private fun histogramUpTo(nanos: Long) = Histogram(1_000, nanos, 3).apply { isAutoResize = true }

const val NANOS_PER_SECOND = 1_000_000_000L

/** A day of load: the experiment's reader rejects longer ones. */
private const val MAX_SECONDS = 86_400L

package threadgauge.load.record

import org.HdrHistogram.Histogram
import threadgauge.model.Outcome

/**
 * Counts of the passes of one scenario, and of its steps. Single writer: belongs to the thread of one event loop.
 *
 * What was intended in the lead-in of a load does not count; the caller leaves it out.
 */
internal class ScenarioRecorder(steps: Int) {
    val steps = List(steps) { StepRecorder() }

    /** Passes that began: completed, failed, cut, or under way. */
    var begun = 0L
        private set
    var completed = 0L
        private set

    /** Ended by a step that failed. */
    var failed = 0L
        private set

    /** Under way when the load ended. */
    var cut = 0L
        private set

    /** Of completed passes, pauses included: from the intended time of the first request to the last answer. */
    val duration: Histogram = newHistogram()

    fun began() {
        begun++
    }

    fun completed(beganNanos: Long, nowNanos: Long) {
        completed++
        duration.recordValue(maxOf(0, nowNanos - beganNanos))
    }

    fun failed() {
        failed++
    }

    fun cut() {
        cut++
    }
}

/** Requests of one step. The same rules as those of [LoadRecorder] say what enters the latency. */
internal class StepRecorder {
    /** From the intended time to the last byte, in nanoseconds. */
    val latency: Histogram = newHistogram()

    /** From sending to the last byte of correct answers, in nanoseconds. */
    val serviceTime: Histogram = newHistogram()

    /** By [Outcome.ordinal]. */
    val failures = LongArray(Outcome.entries.size)
    var answered = 0L
        private set

    /** Sent, and without an answer when the load ended. */
    var unfinished = 0L
        private set

    /** Due, and without a connection until the load ended. */
    var unsent = 0L
        private set

    fun answered(intendedNanos: Long, sentNanos: Long, nowNanos: Long) {
        answered++
        latency.recordValue(maxOf(0, nowNanos - intendedNanos))
        serviceTime.recordValue(maxOf(0, nowNanos - sentNanos))
    }

    fun failed(intendedNanos: Long, nowNanos: Long, outcome: Outcome) {
        failures[outcome.ordinal]++
        val timed = outcome == Outcome.RESPONSE_TIMEOUT || outcome == Outcome.CONNECT_TIMEOUT
        if (timed) latency.recordValue(maxOf(0, nowNanos - intendedNanos))
    }

    fun unfinished(intendedNanos: Long, nowNanos: Long) {
        unfinished++
        latency.recordValue(maxOf(0, nowNanos - intendedNanos))
    }

    fun unsent(intendedNanos: Long, nowNanos: Long) {
        unsent++
        latency.recordValue(maxOf(0, nowNanos - intendedNanos))
    }
}

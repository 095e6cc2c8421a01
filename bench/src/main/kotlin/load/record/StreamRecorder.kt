package threadgauge.load.record

import org.HdrHistogram.Histogram

/**
 * Counts the messages of streams, and when they come. Single writer: belongs to one event loop's thread. Only what is
 * within the [window] counts; before one is set, nothing does.
 */
class StreamRecorder {
    /** From sending a request to its first message, in nanoseconds. */
    val first: Histogram = newHistogram()

    /** From one message of a stream to its next, in nanoseconds. */
    val gaps: Histogram = newHistogram()

    var messages = 0L
        private set
    private var fromNanos = Long.MAX_VALUE
    private var toNanos = Long.MAX_VALUE

    /** The window, in `System.nanoTime`. */
    fun window(fromNanos: Long, toNanos: Long) {
        this.fromNanos = fromNanos
        this.toNanos = toNanos
    }

    /** The first message of a stream that was asked for at [sentNanos] came at [nowNanos]. */
    fun first(sentNanos: Long, nowNanos: Long) {
        if (nowNanos !in fromNanos..toNanos) return
        messages++
        first.recordValue(nowNanos - sentNanos)
    }

    /** Another one came, after one at [beforeNanos]. */
    fun next(beforeNanos: Long, nowNanos: Long) {
        if (nowNanos !in fromNanos..toNanos) return
        messages++
        gaps.recordValue(nowNanos - beforeNanos)
    }
}

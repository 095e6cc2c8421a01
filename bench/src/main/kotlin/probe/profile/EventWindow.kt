package threadgauge.probe.profile

import java.time.Instant

/** A window of time in nanoseconds since 1970, as events of JFR have it; its end does not belong to it. */
internal class EventWindow(val startNanos: Long, val endNanos: Long) {
    operator fun contains(nanos: Long) = nanos in startNanos until endNanos

    /** The part of the time from [from] to [to] that lies within, in nanoseconds. */
    fun overlap(from: Long, to: Long): Long = maxOf(0, minOf(to, endNanos) - maxOf(from, startNanos))

    companion object {
        /** The window of [lengthNanos] from [startNanos] of `System.nanoTime`, by what both clocks show now. */
        fun of(startNanos: Long, lengthNanos: Long): EventWindow {
            val before = System.nanoTime()
            val epoch = Instant.now().epochNanos
            val between = before + (System.nanoTime() - before) / 2
            val start = epoch + (startNanos - between)
            return EventWindow(start, start + lengthNanos)
        }
    }
}

internal val Instant.epochNanos: Long get() = epochSecond * 1_000_000_000 + nano

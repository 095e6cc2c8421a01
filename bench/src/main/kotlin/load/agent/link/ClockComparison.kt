package threadgauge.load.agent.link

import threadgauge.model.ClockOffset

/**
 * A message that was answered at once: our clocks when it was sent, `System.nanoTime` and nanoseconds since 1970; the
 * other side's clocks when it answered; and our `System.nanoTime` when the answer was there.
 */
internal data class ClockExchange(
    val sentNanos: Long,
    val sentEpochNanos: Long,
    val theirNanos: Long,
    val theirEpochNanos: Long,
    val receivedNanos: Long,
) {
    val roundTripNanos: Long get() = receivedNanos - sentNanos
}

/**
 * How the other side's clocks differ, by the fastest of [exchanges]: queues and sleeping processors only make a round
 * trip longer, so the fastest says most. Throws `IllegalArgumentException` without any.
 */
internal fun clockOffset(exchanges: List<ClockExchange>): ClockOffset {
    require(exchanges.isNotEmpty()) { "no exchange" }
    val fastest = exchanges.minBy { it.roundTripNanos }
    val half = fastest.roundTripNanos / 2
    val trips = exchanges.map { it.roundTripNanos }.sorted()
    return ClockOffset(
        aheadNanos = fastest.theirEpochNanos - (fastest.sentEpochNanos + half),
        boundNanos = fastest.roundTripNanos - half,
        monotonicNanos = fastest.theirNanos - (fastest.sentNanos + half),
        shortestNanos = trips.first(), medianNanos = trips[trips.size / 2], longestNanos = trips.last(),
    )
}

package threadgauge.knee

import threadgauge.stats.MIN_POINTS
import threadgauge.stats.Throughput

/**
 * The next concurrency to measure, or null when enough is known: doubled from 1 on, until throughput has grown by less
 * than 5 % in two doublings, so that the curve includes some points past its peak. [points] in order. At least
 * [MIN_POINTS], at most [MAX_CONCURRENCY], and not beyond [maxPerSecond], where the load agent would be measured.
 */
fun nextConcurrency(points: List<Throughput>, maxPerSecond: Double = Double.MAX_VALUE): Int? {
    val next = 1 shl points.size
    if (points.size < MIN_POINTS) return next
    val best = points.dropLast(PAST_THE_TOP).maxOf { it.perSecond }
    val isPast = points.takeLast(PAST_THE_TOP).maxOf { it.perSecond } < best * STILL_GROWING
    return next.takeUnless { isPast || it > MAX_CONCURRENCY || points.last().perSecond > maxPerSecond }
}

private const val PAST_THE_TOP = 2
private const val STILL_GROWING = 1.05

/** With more users, connections matter rather than scalability. */
private const val MAX_CONCURRENCY = 1_024

package threadgauge.knee

import threadgauge.model.KneeQuestion

/** Durations of the steps of a search, in nanoseconds. */
internal object KneeDurations {
    /** One closed load. */
    const val CLOSED_NANOS = 1_500_000_000L

    /** Approximate duration of a whole search in one process, with all its probes. */
    fun maxNanos(question: KneeQuestion): Long =
        CLOSED_LOADS * (CLOSED_NANOS + BETWEEN_NANOS) + question.maxProbes * probeNanos(question)

    /** Approximate duration of one open load with the pause after it. */
    fun probeNanos(question: KneeQuestion): Long = question.probeNanos + BETWEEN_NANOS

    private const val CLOSED_LOADS = 7
    private const val BETWEEN_NANOS = 700_000_000L
}

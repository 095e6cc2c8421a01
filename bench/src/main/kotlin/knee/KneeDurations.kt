package threadgauge.knee

import threadgauge.model.LatencyMeasure
import threadgauge.model.plan.KneeQuestion

/** Durations of the steps of a search, in nanoseconds. */
internal object KneeDurations {
    /** One closed load, on a target that answers quickly. */
    private const val CLOSED_NANOS = 1_500_000_000L

    /**
     * One closed load on a target whose answer takes [aloneMicros] with nothing else to do: long enough for
     * [ANSWERS_SEEN] of them one after the other, within [MAX_CLOSED_NANOS].
     */
    fun closedNanos(aloneMicros: Double): Long =
        maxOf(CLOSED_NANOS, minOf(severalAnswers(aloneMicros), MAX_CLOSED_NANOS))

    /**
     * One open load: long enough for the percentiles of the goals and for [ANSWERS_SEEN] answers one after the other,
     * but no longer than [MAX_LENGTH] times what was asked for. Away from the knee half will do.
     */
    fun openNanos(question: KneeQuestion, step: SearchStep.Try, aloneMicros: Double): Long {
        val usual = if (step.near) question.probeNanos else question.probeNanos / 2
        val enough = question.slo.latencies.maxOfOrNull { it.measure.enough } ?: LatencyMeasure.P50.enough
        val needed = maxOf((enough * SPARE_ANSWERS / step.perSecond * 1e9).toLong(), severalAnswers(aloneMicros))
        return needed.coerceIn(usual, question.probeNanos * MAX_LENGTH)
    }

    private fun severalAnswers(aloneMicros: Double) = (aloneMicros * 1e3 * ANSWERS_SEEN).toLong()

    /** Approximate duration of a whole search in one process, with all its probes. */
    fun maxNanos(question: KneeQuestion): Long =
        CLOSED_LOADS * (CLOSED_NANOS + BETWEEN_NANOS) + question.maxProbes * probeNanos(question)

    /** Approximate duration of one open load with the pause after it. */
    fun probeNanos(question: KneeQuestion): Long = question.probeNanos + BETWEEN_NANOS

    private const val ANSWERS_SEEN = 4
    private const val MAX_CLOSED_NANOS = 20_000_000_000L
    private const val SPARE_ANSWERS = 1.1
    private const val MAX_LENGTH = 4L
    private const val CLOSED_LOADS = 7
    private const val BETWEEN_NANOS = 700_000_000L
}

package threadgauge.judge.advice

import kotlin.math.sqrt
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Range
import threadgauge.model.judgement.map.Gain

/**
 * What a service that works as [now] will come to if it changes from [before] to [after]: each estimate of a network,
 * its bound and its mean value analysis, says by which factor throughput grows. Both models thus agree with what was
 * measured; the true factor is between them. The expected one is their geometric mean.
 *
 * A tenth of the gain is left out of the lower end: a database or a processor that serves more at a time takes a little
 * longer for each. No value is above the bound after the change. The same network gives what was measured.
 */
internal fun predict(now: Operation, before: ServiceNetwork, after: ServiceNetwork): Prediction {
    val least = now.perSecond
    val bound = after.bound.coerceAtLeast(LEAST)
    val byBound = factor(before.bound, after.bound) * least
    val byQueues = factor(before.queued(), after.queued()) * least
    val (low, high) = listOf(byBound, byQueues).map { minOf(it, bound) }.sorted()
    val value = sqrt(low * high)
    val careful = if (low > least) least + (low - least) * CAREFUL else low
    val perSecond = Range(careful, value, high)
    return Prediction(now, perSecond, latency(now, before, after, perSecond))
}

/** The best case: what is taken out of the way may have held everything, or nothing. */
internal fun atMost(now: Operation, before: ServiceNetwork, after: ServiceNetwork): Prediction {
    val best = maxOf(now.perSecond, predict(now, before, after).perSecond.high)
    val perSecond = Range(now.perSecond, best, best)
    return Prediction(now, perSecond, latency(now, before, after, perSecond), isAtMost = true)
}

/**
 * A service whose code is not compiled yet ([Observed.isCompiled]) needs less CPU time later, nobody knows how much.
 * The least that is expected is by the CPU time that was measured, the most by none at all. Where both are about the
 * same, because the processor is far from its limit, the prediction is an ordinary one.
 */
internal fun atLeast(now: Operation, before: ServiceNetwork, after: ServiceNetwork): Prediction {
    val least = predict(now, before, after)
    val most = predict(now, before, after.withoutProcessor()).perSecond.high
    if (most < least.perSecond.value * (1 + TOLERANCE)) return least
    val perSecond = least.perSecond.copy(high = most)
    return Prediction(now, perSecond, latency(now, before, after, perSecond), isAtLeast = true)
}

/** Predictions are not exact, so a small difference is none. */
internal fun gainOf(prediction: Prediction): Gain = when {
    prediction.ratio.value >= WORTH_IT -> Gain.MORE
    prediction.ratio.value <= 1 / WORTH_IT -> Gain.LESS
    else -> Gain.NONE
}

private fun factor(before: Double, after: Double): Double =
    if (before > 0 && before.isFinite() && after.isFinite()) after / before else 1.0

/**
 * By Little's law for a closed load (users = throughput × (latency + think time)). For an open load by the growth of
 * the time of residence, as long as it is kept up with.
 */
private fun latency(now: Operation, before: ServiceNetwork, after: ServiceNetwork, perSecond: Range): Range? {
    if (after == before) return Range(now.meanMicros, now.meanMicros, now.meanMicros)
    fun at(rate: Double): Double? {
        val micros = after.meanMicros(rate) ?: return null
        val modelled = before.meanMicros(now.perSecond)?.takeIf { it > 0 && after.users == null } ?: return micros
        return now.meanMicros * micros / modelled
    }
    val all = listOfNotNull(at(perSecond.high), at(perSecond.value), at(perSecond.low)).sorted()
    return if (all.size == 3) Range(all[0], all[1], all[2]) else null
}

/** The goal of the project: predictions are within 20 % in 80 % of the changes. */
internal const val TOLERANCE = 0.2

/** The smallest ratio that counts. */
private const val WORTH_IT = 1.05
private const val CAREFUL = 0.9
private const val LEAST = 1e-9

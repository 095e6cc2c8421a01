package threadgauge.judge

import threadgauge.model.Trial
import threadgauge.model.plan.Plateau
import threadgauge.stats.RatePoint
import threadgauge.stats.WarmUpCurve
import threadgauge.stats.warmUpDistance

/**
 * How near to its plateau the processes of [trials] were when [situation] was measured; where it was not measured in
 * slices, at the end of their warm-ups. Null where the curves have too few points.
 */
internal fun plateauOf(trials: List<Trial>, situation: String): Plateau? =
    warmUpDistance(trials.mapNotNull { curveOf(it, situation) })
        ?.let { Plateau(it.share, it.interval.low, it.interval.high) }

private fun curveOf(trial: Trial, situation: String): WarmUpCurve? {
    val warmUp = trial.warmUp ?: return null
    val before = warmUp.iterations.filter { it.situation == situation }
        .map { RatePoint(it.atMillis, it.answeredPerSecond) }
    val slices = measuredRates(trial, situation, warmUp.millis)
    return WarmUpCurve(before + slices, maxOf(1, slices.size))
}

/** The slices of [situation], at the times under load that the process had had by then, after [startMillis]. */
private fun measuredRates(trial: Trial, situation: String, startMillis: Double): List<RatePoint> {
    var atMillis = startMillis
    return trial.slices.sortedBy { it.atMillis }.mapNotNull { slice ->
        RatePoint(atMillis, slice.perSecond).takeIf { slice.situation == situation }
            .also { atMillis += slice.windowMillis }
    }
}

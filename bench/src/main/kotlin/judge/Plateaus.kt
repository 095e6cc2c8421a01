package threadgauge.judge

import threadgauge.model.Plateau
import threadgauge.model.Trial
import threadgauge.model.WarmUp
import threadgauge.stats.median
import threadgauge.stats.warmUpDistance

/** How near to its plateau one process was at the end of its [warmUp]; null where the curve has too few iterations. */
internal fun plateauOf(warmUp: WarmUp, situation: String): Plateau? =
    warmUpDistance(warmUp.iterations.filter { it.situation == situation })
        ?.let { Plateau(it.share, it.interval.low, it.interval.high) }

/** Of the typical process: the median of the shares, and of the ends of their intervals. Null where none has one. */
internal fun typicalPlateau(trials: List<Trial>, situation: String): Plateau? {
    val all = trials.mapNotNull { trial -> trial.warmUp?.let { plateauOf(it, situation) } }
    if (all.isEmpty()) return null
    return Plateau(median(all.map { it.share }), median(all.map { it.low }), median(all.map { it.high }))
}

package threadgauge.model.judgement

import kotlin.math.sqrt

/**
 * Half the width of the interval from [low] to [high], by its logarithm, as a share: 0.03 is ± 3 %. Null without an
 * interval, and where its low end is not positive.
 */
fun halfWidth(low: Double?, high: Double?): Double? =
    if (low == null || high == null || low <= 0) null else sqrt(high / low) - 1

/** Of the ratio; null without an interval. */
val Comparison.halfWidth: Double? get() = halfWidth(low, high)

/** Of the figure; null without an interval. */
val Figure.halfWidth: Double? get() = halfWidth(low, high)

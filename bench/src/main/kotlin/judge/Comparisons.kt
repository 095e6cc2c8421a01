package threadgauge.judge

import threadgauge.model.CellJudgement
import threadgauge.model.Comparison
import threadgauge.model.ComparisonOutcome
import threadgauge.model.ComparisonOutcome.CANNOT_TELL
import threadgauge.model.ComparisonOutcome.LESS
import threadgauge.model.ComparisonOutcome.MORE
import threadgauge.model.ComparisonOutcome.NO_DIFFERENCE
import threadgauge.model.Figure
import threadgauge.model.Validity
import threadgauge.stats.Interval
import threadgauge.stats.median
import threadgauge.stats.ratioInterval
import threadgauge.stats.shared

/**
 * Every pair of cells by one of their figures, with the confidence shared out among the pairs. Invalid cells are left
 * out: they never win or lose.
 */
internal fun comparePairs(cells: List<CellJudgement>, margin: Double, figure: (CellJudgement) -> Figure?): List<Comparison> {
    val fit = cells.filter { it.validity != Validity.INVALID && figure(it) != null && figure(it)!!.median > 0 }
    val confidence = shared(0.95, fit.size * (fit.size - 1) / 2)
    return fit.indices.flatMap { i ->
        (i + 1..fit.lastIndex).map { j -> compare(fit[i], fit[j], figure(fit[i])!!.values, figure(fit[j])!!.values, margin, confidence) }
    }
}

private fun compare(
    a: CellJudgement,
    b: CellJudgement,
    top: List<Double>,
    bottom: List<Double>,
    margin: Double,
    confidence: Double,
): Comparison {
    val interval = ratioInterval(top, bottom, confidence)
    return Comparison(a.stack, b.stack, median(top) / median(bottom), interval?.low, interval?.high, outcome(interval, margin))
}

private fun outcome(interval: Interval?, margin: Double): ComparisonOutcome = when {
    interval == null -> CANNOT_TELL
    interval.low > 1 + margin -> MORE
    interval.high < 1 / (1 + margin) -> LESS
    interval.low >= 1 / (1 + margin) && interval.high <= 1 + margin -> NO_DIFFERENCE
    else -> CANNOT_TELL
}

/** The outcome between [a] and [b] as [a] sees it; null where the two were not compared. */
internal fun List<Comparison>.between(a: String, b: String): ComparisonOutcome? {
    firstOrNull { it.stack == a && it.other == b }?.let { return it.outcome }
    return when (firstOrNull { it.stack == b && it.other == a }?.outcome) {
        MORE -> LESS
        LESS -> MORE
        NO_DIFFERENCE -> NO_DIFFERENCE
        CANNOT_TELL -> CANNOT_TELL
        null -> null
    }
}

/** [a] ÷ [b] with its interval, whichever way round they were compared. */
internal fun List<Comparison>.ratio(a: String, b: String): Comparison? = firstOrNull { it.stack == a && it.other == b }
    ?: firstOrNull { it.stack == b && it.other == a }
        ?.let { Comparison(a, b, 1 / it.ratio, it.high?.let { h -> 1 / h }, it.low?.let { l -> 1 / l }, between(a, b)!!) }

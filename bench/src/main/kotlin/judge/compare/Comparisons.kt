package threadgauge.judge.compare

import threadgauge.judge.JudgedCell
import threadgauge.judge.figure
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.ComparisonOutcome.CANNOT_TELL
import threadgauge.model.judgement.ComparisonOutcome.LESS
import threadgauge.model.judgement.ComparisonOutcome.MORE
import threadgauge.model.judgement.ComparisonOutcome.NO_DIFFERENCE
import threadgauge.stats.Interval
import threadgauge.stats.shared

/**
 * Comparisons of pairs of cells by one figure, with the confidence shared among them: each cell with its stack's
 * baseline, or all pairs where there are no [baselines]. Invalid cells are left out. [confidence] is that of each, by
 * how many there are. All of them together show how much they usually vary.
 */
internal fun comparePairs(
    cells: List<JudgedCell>,
    margin: Double,
    of: Compared,
    baselines: Map<String, String> = emptyMap(),
    confidence: (Int) -> Double = { shared(CONFIDENCE, it) },
): List<Comparison> {
    val fit = cells.filter { it.isFit && (it.cell.figure(of)?.value ?: 0.0) > 0 }
    val pairs = if (baselines.isEmpty()) allPairs(fit) else withBaselines(fit, baselines)
    val ratios = PairRatios(fit, pairs, of, confidence(pairs.size))
    return pairs.map { pair ->
        compared(pair.first.cell.stack, pair.second.cell.stack, of, ratios.between(pair), margin)
    }
}

private fun allPairs(fit: List<JudgedCell>) =
    fit.indices.flatMap { i -> (i + 1..fit.lastIndex).map { j -> fit[i] to fit[j] } }

private fun withBaselines(fit: List<JudgedCell>, baselines: Map<String, String>): List<Pair<JudgedCell, JudgedCell>> {
    val byStack = fit.associateBy { it.cell.stack }
    return fit.mapNotNull { cell -> byStack[baselines[cell.cell.stack]]?.let { cell to it } }
}

/** [stack] ÷ [other] with this ratio of their figures. Without an interval the outcome is *cannot tell*. */
internal fun compared(stack: String, other: String, of: Compared, pair: PairRatio, margin: Double): Comparison {
    val interval = pair.interval
        ?: return Comparison(stack, other, pair.ratio, outcome = CANNOT_TELL, of = of, rounds = pair.rounds)
    val outcome = outcome(interval, margin)
    val bound = if (pair.ratio >= 1) 1 + margin else 1 / (1 + margin)
    val enough = if (outcome == CANNOT_TELL) pair.trialsToTell(bound) else null
    return Comparison(
        stack, other, pair.ratio, interval.low, interval.high, outcome, of, enough, pair.onEqualCores, pair.rounds,
    )
}

/** How a ratio with this [interval] compares, by at least [margin]. */
internal fun outcome(interval: Interval, margin: Double): ComparisonOutcome = when {
    interval.low > 1 + margin -> MORE
    interval.high < 1 / (1 + margin) -> LESS
    interval.low >= 1 / (1 + margin) && interval.high <= 1 + margin -> NO_DIFFERENCE
    else -> CANNOT_TELL
}

/** The outcome from the side of [a]; null where [a] and [b] were not compared. */
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

/** [a] ÷ [b] with its interval, in whichever order they were compared. */
internal fun List<Comparison>.ratio(a: String, b: String): Comparison? = firstOrNull { it.stack == a && it.other == b }
    ?: firstOrNull { it.stack == b && it.other == a }
        ?.let { it.copy(stack = a, other = b, ratio = 1 / it.ratio, low = inverse(it.high), high = inverse(it.low)) }
        ?.copy(outcome = between(a, b)!!)

private fun inverse(value: Double?) = value?.let { 1 / it }

internal const val CONFIDENCE = 0.95

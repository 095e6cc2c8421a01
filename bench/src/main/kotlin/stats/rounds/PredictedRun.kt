package threadgauge.stats.rounds

import kotlin.math.PI
import kotlin.math.exp
import kotlin.math.ln1p
import kotlin.math.sqrt
import threadgauge.model.plan.Goal
import threadgauge.stats.MIN_TRIALS

/** What a run that fills its time should come to. */
data class PredictedRun(
    /** Rounds of each block that fits. */
    val rounds: List<Int>,
    /**
     * Expected half-width of each ratio, as a share: 0.03 is ± 3 %. Null below [MIN_TRIALS] blocks, where there is no
     * interval.
     */
    val halfWidth: Double?,
)

/**
 * Plays a run of [budgetSeconds] through, as it would plan itself after each block if its comparisons varied by
 * [components] and cost [cost]. [beforeSeconds] pass before its first block; a round has so many [slices].
 *
 * The half-width is the mean of those that such runs get: [RunPlanning.halfWidth], which takes the standard error as
 * known, times the mean of an estimated standard error ([expectedDeviation]). The test simulates the runs.
 */
fun predictRun(
    components: VarianceComponents,
    cost: RunCost,
    budgetSeconds: Double,
    beforeSeconds: Double,
    slices: Int,
    confidence: Double,
): PredictedRun {
    val first = RunPlanning.firstBlock(budgetSeconds, slices)
    val fitting = (checkNotNull(first.maxSeconds) / cost.roundSeconds).toInt()
    val measured = arrayListOf(fitting.coerceIn(MIN_ROUNDS_OF_FIRST, checkNotNull(first.rounds)))
    fun planning() = RunPlanning(listOf(components), cost, confidence, measured)
    while (measured.size < Goal.MAX_BLOCKS) {
        val left = budgetSeconds - beforeSeconds - measured.sumOf { cost.seconds(1, it) }
        val overrun = budgetSeconds * RunPlanning.OVERRUN
        measured += planning().nextRounds(left, overrunSeconds = overrun) ?: break
    }
    val known = planning().halfWidth(blocks = 0, rounds = RunPlanning.MIN_ROUNDS)
    return PredictedRun(measured, known?.let { exp(ln1p(it) * expectedDeviation(measured.size - 1)) - 1 })
}

/**
 * Mean of the standard deviation of a normal sample with so many degrees of [freedom], as a share of the true one: 0.80
 * for 1, 0.89 for 2, 0.94 for 4. It is √(2 ÷ ν) · Γ((ν + 1) ÷ 2) ÷ Γ(ν ÷ 2), known as c₄ in quality control
 * (Montgomery, *Introduction to Statistical Quality Control*, appendix VI); the product of two neighbours is √(ν ÷ (ν +
 * 1)).
 */
internal fun expectedDeviation(freedom: Int): Double {
    require(freedom >= 1) { "$freedom" }
    return (1..<freedom).fold(sqrt(2 / PI)) { of, degrees -> sqrt(degrees / (degrees + 1.0)) / of }
}

/** A run ends its first block after two rounds where these have taken all of the block's time. */
private const val MIN_ROUNDS_OF_FIRST = 2

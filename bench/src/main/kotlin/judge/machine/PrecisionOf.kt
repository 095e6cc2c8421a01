package threadgauge.judge.machine

import kotlin.math.ln
import kotlin.math.sqrt
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.model.EqualRound
import threadgauge.model.WarmUpRule
import threadgauge.model.judgement.AwakeEffect
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.PredictedPrecision
import threadgauge.model.judgement.RatioWithInterval
import threadgauge.model.judgement.RoundNoise
import threadgauge.model.plan.Goal
import threadgauge.model.plan.RoundsRule
import threadgauge.model.plan.TypicalCost
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.rounds.RunCost
import threadgauge.stats.rounds.VarianceComponents
import threadgauge.stats.rounds.deviationRatio
import threadgauge.stats.rounds.pairedRatio
import threadgauge.stats.rounds.predictRun
import threadgauge.stats.rounds.squaresWithin
import threadgauge.stats.shared

/**
 * How precise ratios can be where two equal servers came out as in [rounds]. Rounds in which either answered nothing
 * count for nothing here; they are a problem of their own. Null where fewer than three are left.
 */
internal fun precisionOf(rounds: List<EqualRound>): Precision? {
    val (awake, asleep) = rounds.filter { it.isUsable }.partition { it.awake }
    val noiseAwake = noiseOf(awake)
    val noiseAsleep = noiseOf(asleep)
    val noise = noiseAwake ?: noiseAsleep ?: return null
    val components = VarianceComponents(noise.deviation, VarianceComponents.TYPICAL_BETWEEN_BLOCKS)
    return Precision(
        asleep = noiseAsleep,
        awake = noiseAwake,
        effect = effectOf(awake, asleep),
        assumedBetweenBlocks = components.betweenBlocks,
        runs = STACKS.flatMap { stacks -> MINUTES.map { predicted(stacks, it, components) } },
    )
}

/** Standard deviation of the ratio in these rounds, as a run has it; null for fewer than three. */
internal fun noiseOf(rounds: List<EqualRound>): RoundNoise? {
    if (rounds.size < MIN_ROUNDS) return null
    return RoundNoise(sqrt(squaresWithin(listOf(rounds.map { it.logRatio })) / (rounds.size - 1)), rounds.size)
}

private fun effectOf(awake: List<EqualRound>, asleep: List<EqualRound>): AwakeEffect? {
    if (noiseOf(awake) == null || noiseOf(asleep) == null) return null
    val (ratio, interval) = deviationRatio(awake.map { it.logRatio }, asleep.map { it.logRatio }, CONFIDENCE)
        ?: return null
    // Each round with awake cores has one without beside it, so what the machine does in that time is in both.
    val pairs = awake.zip(asleep) { one, other -> listOf(one.logThroughput - other.logThroughput) }
    val throughput = pairedRatio(pairs)?.let { paired ->
        paired.interval(CONFIDENCE).let { RatioWithInterval(paired.ratio, it.low, it.high) }
    }
    return AwakeEffect(RatioWithInterval(ratio, interval.low, interval.high), throughput)
}

/**
 * A run of shipped stacks costs what it typically does, and warms up for as long as it may: frameworks on one core used
 * nearly all of that time. All pairs of stacks are compared, and share the confidence.
 */
private fun predicted(stacks: Int, minutes: Int, components: VarianceComponents): PredictedPrecision {
    val budgetSeconds = minutes * 60.0
    val most = checkNotNull(Goal(budgetNanos = (budgetSeconds * 1e9).toLong()).maxWarmUpNanos(stacks))
    val warmUpSeconds = minOf(most, WarmUpRule().budgetNanos) / 1e9
    val cost = RunCost(
        roundSeconds = stacks * SLICE_SECONDS,
        blockSeconds = stacks * (TypicalCost.START_SECONDS + warmUpSeconds),
    )
    val confidence = shared(CONFIDENCE, stacks * (stacks - 1) / 2)
    val run = predictRun(components, cost, budgetSeconds, TypicalCost.CALIBRATION_SECONDS, stacks, confidence)
    return PredictedPrecision(stacks, minutes, run.rounds.size, run.rounds.sum(), run.halfWidth)
}

private val EqualRound.isUsable get() = first.requestsPerSecond > 0 && second.requestsPerSecond > 0

private val EqualRound.logRatio get() = ln(first.requestsPerSecond / second.requestsPerSecond)

/** Of both servers together: their geometric mean. */
private val EqualRound.logThroughput get() = (ln(first.requestsPerSecond) + ln(second.requestsPerSecond)) / 2

private const val MIN_ROUNDS = MIN_TRIALS
private val STACKS = listOf(2, 4)
private val MINUTES = listOf(2, 5, 10, 30)

private val SLICE_SECONDS =
    RoundsRule().let { (it.sliceNanos + it.leadInNanos) / 1e9 } + TypicalCost.SLICE_OVERHEAD_SECONDS

package threadgauge.judge.progress

import kotlin.math.ln
import kotlin.math.sqrt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.DurationUnit
import threadgauge.judge.JudgedCell
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.compare.comparePairs
import threadgauge.judge.judgeCells
import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.RoundsSeen
import threadgauge.model.judgement.halfWidth
import threadgauge.model.plan.Goal
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.NextStep
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.rounds.RunCost
import threadgauge.stats.rounds.RunPlanning
import threadgauge.stats.rounds.VarianceComponents
import threadgauge.stats.rounds.squaresWithin
import threadgauge.stats.shared

/**
 * What the run of [record] does next, [elapsed] after its start: another block, of as many rounds as get the intervals
 * narrowest for the time that is left, or to what was asked for soonest, or its end. A run without a goal measures what
 * its plan has. A pure function.
 */
fun nextStep(record: Record, elapsed: Duration): NextStep {
    val goal = record.plan.goal ?: return NextStep.Block()
    val blocks = measuredBlocks(record)
    if (blocks.isEmpty()) return firstBlock(record, goal)
    val left = goal.budgetNanos?.nanoseconds?.minus(elapsed)
    val cost = costOf(blocks, elapsed)
    val cells = judgeCells(record).values
    val sureness = Sureness.of(record)
    val comparisons = cells.flatMap { compareThroughput(record, it, sureness::of) }
    if (blocks.size >= MIN_TRIALS && goal.within != null) {
        val strict = cells.flatMap { compareThroughput(record, it, sureness::toTell) }
        if (isEnough(comparisons, strict, goal.within)) return NextStep.End(GoalEnd.REACHED)
    }
    if (blocks.size >= lastLook(record)) return NextStep.End(GoalEnd.ALL_BLOCKS)
    // A run that may end early pays for its looks.
    val confidence = if (goal.within == null) shared(CONFIDENCE, comparisons.size) else sureness.of(comparisons.size)
    val planning = planningOf(comparisons, cost, blocks, confidence) ?: return blockInTurns(left, elapsed, blocks.size)
    val overrun = (goal.budgetNanos ?: 0).nanoseconds * RunPlanning.OVERRUN
    val rounds = planning.nextRounds(left?.inSeconds, goal.within, overrun.inSeconds)
        ?: return NextStep.End(GoalEnd.OUT_OF_TIME)
    // A machine that gets slow must not use up all the time in one block.
    return NextStep.Block(rounds, left?.let { minOf((it + overrun).inSeconds, rounds * cost.roundSeconds * SLOWER) })
}

/**
 * The number of blocks that the run of [record] has at most, where it looks after each whether to end. It depends on
 * the goal and on the costs of the first block, never on a ratio, so it is known before the first look at one.
 */
internal fun lastLook(record: Record): Int {
    val budget = record.plan.goal?.takeIf { it.within != null }?.budgetNanos ?: return Goal.MAX_BLOCKS
    val slices = measuredBlocks(record).firstOrNull().orEmpty().flatMap { it.slices }
    if (slices.isEmpty()) return Goal.MAX_BLOCKS
    val start = slices.minOf { it.atMillis }
    val aRound = (slices.maxOf { it.atMillis + it.windowMillis } - start) / slices.maxOf { it.round }
    return (budget / 1e6 / (start + RunPlanning.MIN_ROUNDS * aRound)).toInt().coerceIn(MIN_TRIALS, Goal.MAX_BLOCKS)
}

/**
 * All of [comparisons] are told, as [strict] has them, at the confidence that looking so often needs, or are [within]
 * the half-width.
 */
private fun isEnough(comparisons: List<Comparison>, strict: List<Comparison>, within: Double): Boolean =
    comparisons.isNotEmpty() && comparisons.zip(strict).all { (shown, sure) ->
        sure.outcome == ComparisonOutcome.MORE || sure.outcome == ComparisonOutcome.LESS ||
            shown.outcome == ComparisonOutcome.NO_DIFFERENCE || (shown.halfWidth ?: Double.MAX_VALUE) <= within
    }

private fun compareThroughput(record: Record, cells: List<JudgedCell>, confidence: (Int) -> Double) =
    with(record.plan.experiment) { comparePairs(cells, margin, Compared.THROUGHPUT, baselines, confidence) }

/** Blocks of which something was measured, in order. */
internal fun measuredBlocks(record: Record): List<List<Trial>> =
    record.trials.groupBy { it.number }.toSortedMap().values.filter { trials -> trials.any { it.samples.isNotEmpty() } }

private fun firstBlock(record: Record, goal: Goal): NextStep {
    val slices = record.plan.stacks.size * record.plan.experiment.situations.size
    val first = goal.budgetNanos?.nanoseconds?.let {
        val room = (it - startOfRun) / MIN_TRIALS - usualSetUp(record.plan)
        RunPlanning.firstBlock(it.inSeconds, slices, room.inSeconds)
    } ?: NextStep.Block()
    if (goal.within == null) return first
    return first.copy(rounds = minOf(first.rounds ?: RunPlanning.PILOT_ROUNDS, RunPlanning.PILOT_ROUNDS))
}

private fun costOf(blocks: List<List<Trial>>, elapsed: Duration): RunCost {
    val spans = blocks.map { trials ->
        val slices = trials.flatMap { it.slices }
        if (slices.isEmpty()) 0.0 else slices.maxOf { it.atMillis + it.windowMillis } - slices.minOf { it.atMillis }
    }
    val rounds = roundsOf(blocks).sum()
    val span = spans.sum().milliseconds
    val aRound = if (rounds == 0) MIN_ROUND_SECONDS else span.inSeconds / rounds
    // Only the first block has profiles.
    val profiled = blocks.sumOf { trials -> trials.sumOf { trial -> trial.profiles.sumOf { it.tookMillis } } }
    val aBlock = (elapsed - startOfRun - span - profiled.milliseconds).inSeconds / blocks.size
    return RunCost(maxOf(MIN_ROUND_SECONDS, aRound), maxOf(0.0, aBlock))
}

private fun roundsOf(blocks: List<List<Trial>>) =
    blocks.map { trials -> trials.maxOf { trial -> trial.slices.maxOfOrNull { it.round } ?: 0 } }

/** Null where stacks were measured in turns. */
private fun planningOf(
    comparisons: List<Comparison>,
    cost: RunCost,
    blocks: List<List<Trial>>,
    confidence: Double,
): RunPlanning? {
    val components = comparisons.mapNotNull { it.rounds?.let(::likely) }
    if (components.isEmpty()) return null
    return RunPlanning(components, cost, confidence, roundsOf(blocks).filter { it > 0 })
}

/**
 * The components of a comparison of which so much was [seen]. How much processes differ is a rough guess from a few
 * blocks, often zero, so it is mixed with what is usual, as if that came from two blocks more.
 */
private fun likely(seen: RoundsSeen): VarianceComponents {
    val between = seen.betweenBlocks
    val rounds = seen.betweenRounds ?: spreadWithin(seen.blocks.first().rounds)
    val known = if (between == null) 0 else seen.blocks.size - 1
    val usual = VarianceComponents.TYPICAL_BETWEEN_BLOCKS
    val variance = (usual * usual * PRIOR + (between ?: 0.0) * (between ?: 0.0) * known) / (PRIOR + known)
    return VarianceComponents(rounds, sqrt(variance))
}

/** Standard deviation of the rounds of a single block. */
private fun spreadWithin(rounds: List<Double>): Double =
    if (rounds.size < 2) USUAL_ROUNDS else sqrt(squaresWithin(listOf(rounds.map(::ln))) / (rounds.size - 1))

private fun blockInTurns(left: Duration?, elapsed: Duration, blocks: Int): NextStep =
    if (left != null && elapsed / blocks > left) NextStep.End(GoalEnd.OUT_OF_TIME) else NextStep.Block()

private val Duration.inSeconds get() = toDouble(DurationUnit.SECONDS)

private const val SLOWER = 1.5
private const val MIN_ROUND_SECONDS = 0.01
private const val USUAL_ROUNDS = 0.10
private const val PRIOR = 2

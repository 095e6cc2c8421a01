package threadgauge.judge.progress

import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.Plan
import threadgauge.model.plan.TypicalCost
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.rounds.RunPlanning

/**
 * About the shortest time in which [plan] gets intervals, before anything of it was measured: of the fewest blocks and
 * rounds. Null where it has all the time that it needs.
 */
fun tooShortFor(plan: Plan): Duration? {
    val budget = plan.goal?.budgetNanos?.nanoseconds ?: return null
    val slices = SLICE * (plan.stacks.size * plan.experiment.situations.size * RunPlanning.MIN_ROUNDS)
    val needed = startOfRun + (startsOf(plan) + warmUpsOf(plan) + slices) * MIN_TRIALS
    return needed.takeIf { it > budget }
}

/** About the time of a block of [plan] before its first round. Most servers are warm after half of their warm-up. */
internal fun usualSetUp(plan: Plan): Duration = startsOf(plan) + warmUpsOf(plan) / 2

private fun startsOf(plan: Plan): Duration =
    plan.stacks.map { if (it.isShipped) TypicalCost.START_SECONDS.seconds else OWN_START }.reduce(Duration::plus)

private fun warmUpsOf(plan: Plan): Duration = plan.experiment.warmUp.budgetNanos.nanoseconds * plan.stacks.size

/** About the time of a run before its first block. */
internal val startOfRun: Duration = TypicalCost.CALIBRATION_SECONDS.seconds

/**
 * About how long the run of [record] would have needed for intervals, by what its blocks took. Null where time was not
 * what it lacked.
 */
internal fun neededFor(record: Record): Duration? {
    if (record.state != RunState.COMPLETE || record.goalEnd != GoalEnd.OUT_OF_TIME) return null
    val blocks = measuredBlocks(record)
    val end = blocks.flatten().flatMap { it.samples }.maxOfOrNull { it.atMillis + it.windowMillis } ?: return null
    return (end / 1e3 * MIN_TRIALS / blocks.size).seconds
}

/** A service of the user's own, of which nothing is known: from the process to the end of its checks. */
private val OWN_START = 2.seconds

/** The shortest, with its lead-in and what lies between two. */
private val SLICE = 0.8.seconds

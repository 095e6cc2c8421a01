package threadgauge.plan

import java.util.Random
import kotlin.math.abs
import threadgauge.model.Experiment
import threadgauge.model.Record
import threadgauge.model.Service
import threadgauge.model.Stack
import threadgauge.model.WarmUpRule
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.serving

/**
 * The plan of a map of [stacks]: one block of a process each, alive together, in which the search chooses what is
 * measured. Its situations are those of the warm-up: little work for some users, and all users that the map has. Of
 * [services] the plan has those that the requests need.
 */
internal fun planMap(
    question: MapQuestion,
    stacks: List<Stack>,
    seed: Long,
    services: List<Service> = emptyList(),
): Plan {
    val rows = question.users
    val some = rows.indices.minBy { abs(rows[it] - WARM_UP_USERS) }
    val middle = question.work.size / 2
    val situations = listOf(0 to some, middle to rows.lastIndex).distinct()
        .map { (column, row) -> question.situation(column, row, SLICE_NANOS) }
    val experiment = Experiment(
        name = "map-${question.sheet.verb}",
        question = "Which stack fits ${requests(question.sheet)}, and how many users?",
        stacks = stacks.map { it.name },
        situations = situations,
        trials = 1,
        warmUp = WarmUpRule(budgetNanos = WARM_UP_NANOS),
        causes = false,
    )
    val names = situations.map { it.name }
    val trials = stacks.map { it.name }.shuffled(Random(mixed(seed))).map { PlannedTrial(it, 1, names) }
    val serving = stacks.map { stack -> stack.serving(situations.map { it.request }) }
    return Plan(
        experiment, serving, trials, seed, quick = false, services = needed(services, experiment, serving),
        rounds = RoundsRule(), map = question,
    )
}

/**
 * The plan of the map in [before] with another block of fresh processes, which goes on with the search for
 * [budgetNanos]; where that is null, for what is left of its time, or for a minute if that is more.
 */
internal fun refinedMap(before: Record, budgetNanos: Long?): Plan {
    val plan = before.plan
    val question = requireNotNull(plan.map) { before.id }
    val slices = before.trials.flatMap { it.slices }
    val spentNanos = ((slices.maxOfOrNull { it.atMillis + it.windowMillis } ?: 0.0) * 1e6).toLong()
    val nanos = budgetNanos ?: maxOf(question.budgetNanos - spentNanos, LEAST_MORE_NANOS)
    val last = plan.trials.maxOf { it.number }
    // A block that measured nothing is made again, under its number.
    val isUsed = before.trials.any { it.number == last && it.slices.isNotEmpty() }
    // In the other order, so that none is always the first to start.
    val next = if (!isUsed) emptyList() else
        plan.trials.filter { it.number == last }.reversed().map { it.copy(number = last + 1) }
    return plan.copy(
        experiment = plan.experiment.copy(trials = last + if (isUsed) 1 else 0),
        trials = plan.trials + next,
        map = question.copy(budgetNanos = nanos),
    )
}

private fun requests(sheet: MapSheet) = when (sheet) {
    MapSheet.SHARE -> "requests of which some block"
    MapSheet.FAN_OUT -> "requests that make several calls"
    MapSheet.WAIT, MapSheet.BLOCK, MapSheet.CPU -> "requests that ${sheet.verb}"
}

private const val LEAST_MORE_NANOS = 60_000_000_000L
private const val WARM_UP_USERS = 50

/** Half of the usual: the first places warm on, and what is compared is alive all the time. */
private const val WARM_UP_NANOS = 15_000_000_000L
private const val SLICE_NANOS = 1_000_000_000L

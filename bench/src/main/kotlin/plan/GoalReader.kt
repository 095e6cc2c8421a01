package threadgauge.plan

import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.model.Experiment
import threadgauge.model.plan.Goal
import threadgauge.plan.command.Mistakes
import threadgauge.plan.command.optionValue

/**
 * The goal of `--within` and `--budget`; null where neither is given. [others] are options that say the same in another
 * way, of those that were given. Throws [ExperimentMistakes] with all mistakes.
 */
fun readGoal(within: String?, budget: String?, others: List<String> = emptyList()): Goal? {
    if (within == null && budget == null) return null
    val given = listOfNotNull("--within".takeIf { within != null }, "--budget".takeIf { budget != null })
    val mistakes = Mistakes()
    if (others.isNotEmpty()) {
        mistakes.add(
            (given + others).joinToString(), "a run either plans itself or is told how much to measure",
            "Leave ${others.joinToString(" and ")} out, or ${given.joinToString(" and ")}.",
        )
    }
    val share = within?.let { text ->
        mistakes.of { optionValue("--within", text) { quantity(it, "within", Quantity.percent, "0%", "50%") } }
            ?.also { if (it < MIN_WITHIN) mistakes.add("--within", "${quoted(text)} is less than 0.5%", WITHIN_REMEDY) }
    }
    val nanos = budget?.let { text ->
        mistakes.of { optionValue("--budget", text) { nanos(it, "budget", "0s", "24h") } }
            ?.also { if (it < MIN_BUDGET) mistakes.add("--budget", "${quoted(text)} is less than 1m", BUDGET_REMEDY) }
    }
    mistakes.throwAll()
    return Goal(share, nanos)
}

/**
 * The experiment as a run with [goal] measures it: as many trials as it may need at most, and no longer warm-ups than
 * leave time for three blocks. A goal is about comparisons: throws [ExperimentMistakes] where there are none.
 */
internal fun Experiment.towards(goal: Goal): Experiment {
    if (stacks.size < 2) {
        val remedy = "Give a second target to compare with (--against), or --trials and --for in its place."
        throw ExperimentMistakes(
            listOf(ExperimentMistake("--within, --budget", 0, 0, "", "there is nothing to compare", remedy)),
        )
    }
    val most = goal.maxWarmUpNanos(stacks.size) ?: Long.MAX_VALUE
    return copy(trials = Goal.MAX_BLOCKS, warmUp = warmUp.copy(budgetNanos = minOf(warmUp.budgetNanos, most)))
}

/** By Student's distribution 40 blocks of processes that differ by 1.6 % get an interval of ± 0.5 %. */
private const val MIN_WITHIN = 0.005
private const val WITHIN_REMEDY =
    "Give at least 0.5%: fresh processes of one server differ by 1 to 2 % among themselves, so even the 40 blocks " +
        "that a run has at most get no narrower interval."
private const val MIN_BUDGET = 60_000_000_000L
private const val BUDGET_REMEDY =
    "Give at least 1m: an interval needs three blocks, and each of them starts, checks and warms up every server."

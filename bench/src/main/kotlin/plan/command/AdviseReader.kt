package threadgauge.plan.command

import java.nio.file.Path
import threadgauge.experiment.change.readChanges
import threadgauge.experiment.change.shippedChanges
import threadgauge.experiment.change.together
import threadgauge.experiment.combined
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.slug
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.advice.AdviceQuestion
import threadgauge.model.plan.Plan
import threadgauge.plan.readGoal

/** The arguments of `threadgauge advise`, unchecked. Null where an option was not given. */
class AdviseOrder(
    /** Target, requests, load and connections, as for `threadgauge try`. */
    val what: TryOrder,
    /** The value of `--changes`. */
    val changes: Path? = null,
    val prove: Boolean = false,
)

/**
 * The plan of the first part: one process, in which each request is measured and profiled. Where no load is asked for,
 * under a few closed loads, so that the service is at a limit in one of them. Throws [ExperimentMistakes] with all
 * mistakes.
 */
fun readAdvise(order: AdviseOrder, catalogue: StackCatalogue): TryPlan {
    val what = order.what
    val mistakes = Mistakes()
    if (what.targets.size > 1) {
        mistakes.add("--against", "advice is for one target", "Leave it out; try compares targets.")
    }
    if (what.ramp != null || what.burst != null || what.steps != null) {
        mistakes.add("--ramp, --steps, --burst", "a load that changes has no part that is like the whole", LOAD_REMEDY)
    }
    if (!order.prove) refuseWithoutProof(what, mistakes)
    mistakes.of { readGoal(what.within, what.budget, listOfNotNull("--trials".takeIf { what.trials != null })) }
    val changes = mistakes.of { together(shippedChanges(), order.changes?.let(::readChanges).orEmpty()) }
    val short = what.copy(
        targets = what.targets.take(1), names = what.names.take(1), length = what.length ?: USUAL_LENGTH,
        warmUp = what.warmUp ?: USUAL_WARM_UP, quick = true, trials = null, within = null, budget = null,
    )
    val tried = mistakes.of { readTry(short, catalogue) }
    mistakes.throwAll()
    val plan = withLoads(tried!!.plan, isFree = what.loads.isEmpty() && what.think == null)
    return TryPlan(
        plan.copy(advice = AdviceQuestion(changes!!)),
        tried.assumed.map { if (what.loads.isEmpty() && it.startsWith("No load")) assumedLoads(plan) else it },
    )
}

private fun refuseWithoutProof(what: TryOrder, mistakes: Mistakes) {
    val given = listOfNotNull(
        "--trials".takeIf { what.trials != null }, "--within".takeIf { what.within != null },
        "--budget".takeIf { what.budget != null },
    )
    if (given.isEmpty()) return
    mistakes.add(given.joinToString(), "one process is enough for advice", "Add --prove, or leave it out.")
}

/** [isFree]: nobody asked for a load, so each request has several. */
private fun withLoads(plan: Plan, isFree: Boolean): Plan {
    val experiment = plan.experiment
    val situations = if (isFree) experiment.situations.flatMap(::underLoads) else experiment.situations
    // The heaviest would leave work behind that the next cycle has to wait for.
    val first = if (isFree) situations.filterIndexed { at, _ -> at % LOADS.size == 0 }.map { it.name } else emptyList()
    val asked = experiment.question.removePrefix("How does ").removeSuffix("?")
    val asRun = experiment.copy(
        name = slug("advise ${experiment.stacks.single()}").take(MAX_NAME_LENGTH).trimEnd('-'),
        question = "What would make $asked faster?".replace(" serve ", " answer "),
        situations = situations,
        warmUp = experiment.warmUp.copy(situations = first),
    )
    return plan.copy(
        experiment = asRun, trials = plan.trials.map { it.copy(situations = situations.map { one -> one.name }) },
    )
}

private fun underLoads(situation: Situation): List<Situation> {
    val nanos = (situation.load as? Load.Users)?.forNanos ?: return listOf(situation)
    return combined(listOf(situation.request), LOADS.map { Load.Users(it, nanos) }, situation.connections)
}

private fun assumedLoads(plan: Plan): String {
    val seconds = (plan.experiment.situations.first().load as Load.Users).forNanos / 1e9
    val each = seconds.toBigDecimal().stripTrailingZeros().toPlainString()
    return "No load was asked for, so it is ${LOADS.dropLast(1).joinToString()} and then ${LOADS.last()} users, " +
        "for $each s each (--users, --rate or --poisson, and --for)."
}

/** The experiment of a plan with other [situations]. */
internal fun Experiment.withSituations(situations: List<Situation>) =
    copy(situations = situations, warmUp = warmUp.copy(situations = emptyList()))

/** As many as try has, and four and sixteen times as many. */
private val LOADS = listOf(50, 200, 800)
private const val USUAL_LENGTH = "4s"
private const val USUAL_WARM_UP = "12s"
private const val MAX_NAME_LENGTH = 60
private const val LOAD_REMEDY = "Give --users, --rate or --poisson."

package threadgauge.plan

import java.util.Random
import threadgauge.experiment.load.notSold
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.quoted
import threadgauge.model.Experiment
import threadgauge.model.MAX_TRIALS
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Stack
import threadgauge.model.at
import threadgauge.model.isNeededFor
import threadgauge.model.plan.Goal
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.serving

/**
 * Makes the plan of a run from [experiment]: blocks of one trial of each stack.
 *
 * Each block has its own random order. Blocks, because a machine drifts: it warms up, or another program starts. With a
 * free shuffle, one stack could have most of its trials early by chance. With blocks, each stack has one trial in every
 * part of the run, and an interrupted run has nearly equal numbers of trials. The order is random for each block,
 * because a fixed order would give each stack the same predecessor. This is the randomised complete block design (R. A.
 * Fisher, The Design of Experiments, 1935).
 *
 * The same [seed] gives the same order, on every Java. [quick] means one trial; otherwise [trials] replaces that of the
 * experiment. [only] keeps the stacks of these names; empty keeps all. [Plan.experiment] is the experiment with these
 * changes. With a [goal] the plan has as many trials as the run may need. [services] are all that exist; the plan has
 * those that are needed. Throws [ExperimentMistakes] if [only] or [trials] are invalid, or if no stack can serve the
 * requests.
 */
fun planRun(
    experiment: Experiment,
    stacks: List<Stack>,
    seed: Long,
    quick: Boolean = false,
    trials: Int? = null,
    only: Collection<String> = emptySet(),
    services: List<Service> = emptyList(),
    goal: Goal? = null,
): Plan {
    refuseImpossible(experiment, stacks, trials, only)
    val names = experiment.stacks.filter { only.isEmpty() || it in only }
    val asRun = experiment.copy(
        stacks = names,
        trials = if (quick) 1 else trials ?: experiment.trials,
        baselines = experiment.baselines.filterKeys { it in names },
    ).let { if (goal == null) it else it.towards(goal) }
    val described =
        names.map { name -> stacks.firstOrNull { it.name == name } ?: error("no description of the stack $name") }
            .map { stack -> stack.serving(experiment.situations.map { it.request }) }
    val situations = asRun.situations.map { it.name }
    val random = Random(mixed(seed))
    val trials =
        (1..asRun.trials).flatMap { trial -> names.shuffled(random).map { PlannedTrial(it, trial, situations) } }
    val rounds = if (isInRounds(asRun, described)) RoundsRule() else null
    return Plan(
        asRun, described, trials, seed, quick, services = needed(services, asRun, described), rounds = rounds,
        goal = goal,
    )
}

/**
 * Stacks are measured in rounds where there are several, where they are warm when they are loaded, and where all that
 * one does is to answer: the first load of a cold process comes once, and a sale is a whole by itself.
 */
private fun isInRounds(experiment: Experiment, stacks: List<Stack>) =
    stacks.size > 1 && !experiment.warmUp.isNone && stacks.none { it.sells }

/**
 * Those of the experiment's own; of each other kind the one that the experiment names, or the first, if a request needs
 * it.
 */
internal fun needed(services: List<Service>, experiment: Experiment, stacks: List<Stack>): List<Service> {
    val own = services.filter { it.kind == ServiceKind.OWN }
    if (stacks.none { it.isShipped }) return own
    val requests = experiment.situations.map { it.request }
    val address = experiment.databaseAddress
    return own + (services - own.toSet()).groupBy { it.kind }
        .values.map { kind -> kind.firstOrNull { it.name == experiment.database } ?: kind.first() }
        .filter { it.isNeededFor(requests, stacks) }
        .map { if (address != null && it.name == experiment.database) it.at(address) else it }
}

private fun refuseImpossible(experiment: Experiment, stacks: List<Stack>, trials: Int?, only: Collection<String>) {
    val known = experiment.stacks
    val mistakes = only.filter { it !in known }.map { name ->
        onCommandLine(
            "--only", "the experiment ${experiment.name} has no stack ${quoted(name)}", nearestRemedy(name, known),
        )
    } + experiment.baselines.filter { it.key in only && it.value !in only }.map { (stack, baseline) ->
        onCommandLine(
            "--only", "$stack is compared with its baseline $baseline, which is left out", "Add $baseline to --only.",
        )
    } + listOfNotNull(trials).filter { it !in 1..MAX_TRIALS }.map {
        onCommandLine("--trials", "$it trials are not possible", "Give a whole number from 1 to $MAX_TRIALS.")
    } + listOfNotNull(
        notSpoken(experiment, stacks), mixedSettings(experiment, stacks), notSold(experiment, stacks),
        notPacked(experiment, stacks),
    )
    if (mistakes.isNotEmpty()) throw ExperimentMistakes(mistakes)
}

/**
 * A comparison of a tuned server with one as shipped shows the effect of tuning, not of the model, unless both are the
 * same stack.
 */
private fun mixedSettings(experiment: Experiment, stacks: List<Stack>): ExperimentMistake? {
    val ranked = stacks.filter { it.isShipped && it.name in experiment.stacks }
    if (ranked.distinctBy { it.setting }.size < 2 || ranked.distinctBy { it.knownAs ?: it.name }.size < 2) return null
    val tuned = ranked.filter { it.setting == "tuned" }.joinToString { it.name }
    val remedy = "Give all stacks the option +tuned, or none; or compare one stack with itself tuned."
    return ExperimentMistake(experiment.name, 0, 0, "", "$tuned and servers as shipped are not ranked together", remedy)
}

/** Requests of the fuller edition need a packaging that has one. */
private fun notPacked(experiment: Experiment, stacks: List<Stack>): ExperimentMistake? {
    val packed = stacks.filter { it.name in experiment.stacks && it.more?.isMissing == true }
    val asking =
        experiment.situations.filter { situation -> packed.any { it.more!!.isNeededFor(listOf(situation.request)) } }
    if (asking.isEmpty()) return null
    val paths = asking.joinToString { it.request.path }
    val problem = "${packed.joinToString { it.name }} cannot serve $paths: only the fuller edition does"
    return ExperimentMistake(experiment.name, 0, 0, "", problem, "Leave one of the two out.")
}

/** Shipped stacks use plain HTTP/1.1, unless an option changes it. */
private fun notSpoken(experiment: Experiment, stacks: List<Stack>): ExperimentMistake? {
    val shipped = experiment.stacks.mapNotNull { name -> stacks.firstOrNull { it.name == name && it.isShipped } }
    val asking = experiment.situations.filter { situation -> shipped.any { !it.speaks(situation.connections) } }
    if (asking.isEmpty()) return null
    val names = asking.take(MAX_NAMED).joinToString { it.name } + if (asking.size > MAX_NAMED) " …" else ""
    val deaf = shipped.filter { stack -> asking.any { !stack.speaks(it.connections) } }.joinToString { it.name }
    val remedy = "Leave \"protocol\", \"tls\" and \"reuse\" out of \"connections\"; " +
        "a stack with the option +tls or +http2 brings its own."
    return ExperimentMistake(experiment.name, 0, 0, "", "$deaf cannot be asked over the connections of $names", remedy)
}

/** The connections of a situation must match the stack. A stack with additional requirements is accessed with those. */
private fun Stack.speaks(asked: Connections): Boolean {
    val own = connections ?: Connections()
    return (asked.protocol == Protocol.HTTP_1_1 || asked.protocol == own.protocol) &&
        (asked.tls == null || own.tls != null) &&
        !(asked.perRequest && own.protocol == Protocol.HTTP_2)
}

private fun onCommandLine(option: String, problem: String, remedy: String) =
    ExperimentMistake(option, 0, 0, "", problem, remedy)

private const val MAX_NAMED = 5

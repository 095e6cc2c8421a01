package threadgauge.plan.command

import java.nio.file.Path
import threadgauge.experiment.combined
import threadgauge.experiment.load.readSlo
import threadgauge.experiment.request.maxHeaderBytes
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.stack.apart
import threadgauge.experiment.target.pathOf
import threadgauge.experiment.target.readTarget
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.oneMistake
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.slug
import threadgauge.experiment.yaml.words
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Stack
import threadgauge.model.at
import threadgauge.model.plan.Plan
import threadgauge.model.request.Connections
import threadgauge.model.request.MAX_PORT
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Tls
import threadgauge.model.request.words
import threadgauge.model.words
import threadgauge.plan.planRun
import threadgauge.plan.readGoal

/** The arguments of `threadgauge try`, unchecked. Null where an option was not given. */
data class TryOrder(
    /** The target and those to compare it with: one to five. */
    val targets: List<String>,
    /** Names for [targets], in their order. */
    val names: List<String?> = emptyList(),
    /** The value of `--path`; with [morePaths] each is a situation. */
    val path: String? = null,
    val requestFile: Path? = null,
    val users: String? = null,
    val rate: String? = null,
    val ramp: String? = null,
    val burst: String? = null,
    /** The value of `--for`. */
    val length: String? = null,
    val margin: String? = null,
    val within: String? = null,
    val budget: String? = null,
    val trials: Int? = null,
    val quick: Boolean = false,
    val seed: Long = 1,
    val port: Int? = null,
    val startWithin: String? = null,
    /** Budget of the warm-up of one trial. */
    val warmUp: String? = null,
    val http2: Boolean = false,
    val tls: Boolean = false,
    val insecure: Boolean = false,
    val maxHeaderBytes: String? = null,
    val repeatUnprocessed: Boolean = false,
    /** Hosts other than this machine that the user may load. */
    val mayLoad: Set<String> = emptySet(),
    /** Working directory of commands. */
    val folder: Path = Path.of(""),
    /** The values of a second `--path` and of those after it. */
    val morePaths: List<String> = emptyList(),
    /** Mean rate of an open load with independent arrivals. */
    val poisson: String? = null,
    /** The values of `--steps`: rates with their lengths. */
    val steps: String? = null,
    /** How long each user of a closed load thinks between an answer and the next request. */
    val think: String? = null,
    /** Goals that decide the exit code, such as `p99<300ms, errors<0.1%`. */
    val goals: String? = null,
) {
    /** Options that say what the load is, by their names, with their values. */
    val loads: List<Pair<String, String>>
        get() = listOf(
            "users" to users, "rate" to rate, "poisson" to poisson, "ramp" to ramp, "steps" to steps, "burst" to burst,
        ).mapNotNull { (option, text) -> text?.let { option to it } }
}

/** The plan, and in [assumed] the defaults that were chosen, in whole sentences. */
class TryPlan(val plan: Plan, val assumed: List<String>)

/** Throws [ExperimentMistakes] with all mistakes in [order]. */
fun readTry(order: TryOrder, catalogue: StackCatalogue): TryPlan {
    val mistakes = Mistakes()
    val targets = order.targets.map { text -> mistakes.of { readTarget(text, catalogue, order.folder, order.mayLoad) } }
    mistakes.of { refuseNames(order) }
    val requests = mistakes.of { TryRequest(order, targets.filterNotNull()).read() }
    val load = mistakes.of { tryLoad(order) }
    val margin = order.margin?.let { text ->
        mistakes.of { optionValue("--margin", text) { quantity(it, "margin", Quantity.percent, "0%", "50%") } }
    }
    val startWithin = mistakes.time("--start-within", order.startWithin)
    val warmUp = mistakes.time("--warm-up", order.warmUp)
    val goal = mistakes.of { readGoal(order.within, order.budget, order.fixed()) }
    val slo = mistakes.of { order.goals?.let { readSlo(it, "--goals") } }
    mistakes.of { refusePort(order, targets) }
    val connections = mistakes.of { tryConnections(order, targets.filterNotNull()) }
    mistakes.throwAll()
    val stacks = apart(targets.filterNotNull(), order.names).map { stack ->
        if (stack.keepsContract) {
            stack
        } else {
            stack.at(order.port).copy(startWithinNanos = startWithin ?: stack.startWithinNanos)
        }
    }
    val plain = experiment(stacks, requests!!, load!!, connections!!)
    val rule = plain.warmUp.copy(budgetNanos = warmUp ?: plain.warmUp.budgetNanos)
    val asked = plain.copy(margin = margin ?: plain.margin, warmUp = rule).withGoals(slo)
    val plan = planRun(asked, stacks, order.seed, order.quick, order.trials, services = catalogue.services, goal = goal)
    return TryPlan(plan, assumed(order, requests.first(), load))
}

/** Options that say how much to measure. */
private fun TryOrder.fixed() = listOfNotNull("--trials".takeIf { trials != null }, "--quick".takeIf { quick })

/** From a second to an hour, in nanoseconds; null where it was not given, or is wrong. */
private fun Mistakes.time(option: String, text: String?): Long? =
    text?.let { of { optionValue(option, text) { nanos(it, option.removePrefix("--"), "1s", "1h") } } }

private fun refusePort(order: TryOrder, targets: List<Stack?>) {
    val port = order.port ?: return
    if (port !in 1..MAX_PORT) throw oneMistake("--port", "there is no port $port", "Ports are 1 to $MAX_PORT.")
    if (targets.all { it?.url != null }) {
        throw oneMistake("--port", "a URL says its port itself", "Write it there, or leave --port out.")
    }
}

private fun experiment(
    stacks: List<Stack>,
    requests: List<Request>,
    load: Load,
    connections: Connections,
): Experiment {
    val names = stacks.map { it.name }
    val asked = requests.first().let { "${it.method} ${it.path.take(MAX_PATH_LENGTH)}" } +
        (if (requests.size > 1) " and ${requests.size - 1} more" else "")
    val question = if (names.size == 1) "How does ${names.single()} serve $asked?" else
        "Which serves $asked best: ${names.dropLast(1).joinToString(", ")} or ${names.last()}?"
    return Experiment(
        name = slug("try ${names.joinToString(" vs ")}").take(MAX_NAME_LENGTH).trimEnd('-'),
        question = question,
        stacks = names,
        situations = combined(requests, listOf(load), connections),
    )
}

private fun assumed(order: TryOrder, request: Request, load: Load): List<String> = listOfNotNull(
    ("No load was asked for, so it is ${load.words()} " +
        "(--users, --rate, --poisson, --ramp, --steps or --burst, and --for).").takeIf { order.loads.isEmpty() },
    "No path was asked for, so it is ${request.path} (--path or --request)."
        .takeIf { order.path == null && order.requestFile == null && order.targets.none(::namesPath) },
)

private fun namesPath(target: String) = "://" in target && pathOf(target.trim()) != null

private fun refuseNames(order: TryOrder) {
    val names = order.names.filterNotNull()
    val mistakes = Mistakes()
    for (name in names) {
        if (slug(name).isEmpty()) {
            mistakes.add("--name", "${quoted(name)} has no letter and no digit", "Write a name such as before.")
        }
        if (name.length > MAX_GIVEN_LENGTH) {
            mistakes.add("--name", "${quoted(name)} is longer than $MAX_GIVEN_LENGTH characters", "Be brief.")
        }
    }
    names.groupBy(::slug).values.filter { it.size > 1 && slug(it.first()).isNotEmpty() }.forEach {
        mistakes.add("--against-name", "two are named ${quoted(it.last())}", "Give each a name of its own.")
    }
    mistakes.throwAll()
}

/** All targets get the same connections. Otherwise their difference would be one of connections. */
private fun tryConnections(order: TryOrder, targets: List<Stack>): Connections {
    val schemes = targets.mapNotNull { it.url?.substringBefore("://")?.lowercase() }.distinct()
    val tls = order.tls || "https" in schemes
    val mistakes = Mistakes()
    if (tls && "http" in schemes) {
        mistakes.add(
            "TARGET",
            "one target is asked over TLS and another without",
            "Compare both over https:// or both over http://.",
        )
    }
    if (order.insecure && !tls) {
        mistakes.add("--insecure", "nothing here is encrypted", "Leave it out, or give an https:// URL or --tls.")
    }
    val maxHeaderBytes = order.maxHeaderBytes?.let { text ->
        mistakes.of { optionValue("--max-header-bytes", text) { maxHeaderBytes(it, "--max-header-bytes") } }
    }
    mistakes.throwAll()
    return Connections(
        if (order.http2) Protocol.HTTP_2 else Protocol.HTTP_1_1, if (tls) Tls(insecure = order.insecure) else null,
        maxHeaderBytes = maxHeaderBytes ?: Connections.MAX_HEADER_BYTES, repeatUnprocessed = order.repeatUnprocessed,
    )
}

/** Collects mistakes of several readers. */
internal class Mistakes {
    private val found = ArrayList<ExperimentMistake>()

    /** The result of [read], or null with mistakes. */
    fun <T> of(read: () -> T): T? = try {
        read()
    } catch (wrong: ExperimentMistakes) {
        found += wrong.mistakes
        null
    }

    fun add(where: String, problem: String, remedy: String) {
        found += ExperimentMistake(where, 0, 0, "", problem, remedy)
    }

    fun throwAll() {
        if (found.isNotEmpty()) throw ExperimentMistakes(found.distinct())
    }
}

private const val MAX_PATH_LENGTH = 80
private const val MAX_NAME_LENGTH = 60
private const val MAX_GIVEN_LENGTH = 40

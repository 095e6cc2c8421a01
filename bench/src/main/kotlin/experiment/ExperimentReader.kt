package threadgauge.experiment

import java.nio.file.Path
import threadgauge.experiment.claim.ClaimNames
import threadgauge.experiment.claim.claims
import threadgauge.experiment.claim.published
import threadgauge.experiment.claim.source
import threadgauge.experiment.stack.Found
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.stack.baselines
import threadgauge.experiment.stack.database
import threadgauge.experiment.target.OwnStackReader
import threadgauge.experiment.target.ownServices
import threadgauge.experiment.target.refuseUnreachable
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.openText
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.experiment.yaml.yaml
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.Experiment
import threadgauge.model.MAX_TRIALS
import threadgauge.model.RemoteAgents
import threadgauge.model.Service
import threadgauge.model.Stack
import threadgauge.model.WarmUpRule

/**
 * What a file says: its [experiment]; its [stacks] in order, those that come with Threadgauge and those of the user's
 * own; the [services] of the user's own; and who sends the load.
 */
class ExperimentFile(
    val experiment: Experiment,
    val stacks: List<Stack>,
    val services: List<Service>,
    /** Load agents on other machines; null where the file names none. */
    val agents: RemoteAgents? = null,
)

/**
 * The experiment in [file]. Throws [ExperimentMistakes] with every mistake in it, not only the first. [catalogue] has
 * the stacks and databases that the file may name. Of hosts other than this machine, only those in [mayLoad] may be
 * loaded. Reads the file and those it refers to, and keeps none open. [onHint] gets what a later version will reject,
 * such as an old name of a key.
 */
fun readExperimentFile(
    file: Path,
    catalogue: StackCatalogue,
    mayLoad: Set<String> = emptySet(),
    onHint: (ExperimentMistake) -> Unit = {},
): ExperimentFile {
    val context = openText(file)
    val experiment = context.experiment(catalogue, mayLoad)
    context.throwMistakes()
    context.hints().forEach(onHint)
    return checkNotNull(experiment) { "$file gave neither an experiment nor a mistake" }
}

/** As [readExperimentFile], for the experiment alone. */
fun readExperiment(file: Path, catalogue: StackCatalogue, onHint: (ExperimentMistake) -> Unit = {}): Experiment =
    readExperimentFile(file, catalogue, onHint = onHint).experiment

private fun ParseContext.experiment(catalogue: StackCatalogue, mayLoad: Set<String>): ExperimentFile? {
    val root = yaml()
    if (hasMistakes && root == null) return null
    if (root == null || root is YamlScalar && root.isEmpty) {
        wrong(TextPosition(1, 1), "the file says nothing", "Copy experiments/tour.yaml and change it.")
        return null
    }
    val fields =
        fields(root, "an experiment", KEYS, "key: value on each line, as experiments/tour.yaml does") ?: return null
    val name = fields.required("name", "name: checkout-burst")?.let { name(it, "name") }
    val question = fields.required("question", "question: $QUESTION")?.let { question(it) }
    val asked = fields.required("stacks", "stacks: [${catalogue.names.take(2).joinToString(", ")}]")
        ?.let { stacks(it, catalogue, OwnStackReader(this, catalogue, mayLoad)) }
    val stacks = asked?.keys?.toList()
    val services = fields.optional("services")?.let { node ->
        ownServices(node, catalogue).also { refuseUnreachable(node, it, asked?.values.orEmpty()) }
    }.orEmpty()
    val situations = situations(fields)
    val goals = goalsBySituation(fields, situations)
    val trials = fields.optional("trials")?.let { wholeNumber(it, "trials", 1..MAX_TRIALS) }
    val margin = fields.optional("margin")?.let { quantity(it, "margin", Quantity.percent, "0%", "50%") }
    val baselines = fields.optional("baselines")?.let { baselines(it, stacks.orEmpty(), catalogue) }
    val warmUp = fields.optional("warm-up")?.let { warmUp(it, situations?.map { known -> known.name }) }
    val rest = fields.optional("rest")?.let { nanos(it, "rest", "1s", "10m") }
    val causes = fields.optional("causes")?.let { yesOrNo(it, "causes") }
    val database = fields.optional("database")?.let { database(it, catalogue) }
    val agents = fields.optional("agents")?.let { agents(it) }
    val source = fields.optional("source")?.let { source(it) }
    // Unreadable names would make every claim about them a mistake, too.
    val names = ClaimNames(catalogue, stacks, situations?.map { it.name })
    val published = fields.optional("published")?.let { published(it, names) }.orEmpty()
    val claims = fields.optional("claims")?.let { claims(it, names) }.orEmpty()
    if (hasMistakes || name == null || question == null || asked == null || situations == null) return null
    val plain = Experiment(name, question, asked.keys.toList(), situations)
    val experiment = plain.copy(
        trials = trials ?: plain.trials, margin = margin ?: plain.margin, warmUp = warmUp ?: plain.warmUp,
        baselines = baselines.orEmpty(), restNanos = rest,
        database = database?.name, databaseAddress = database?.address,
        source = source, published = published, claims = claims, goals = goals,
        causes = causes ?: plain.causes,
    )
    return ExperimentFile(experiment, asked.values.filterNotNull(), services, agents)
}

private fun ParseContext.question(node: YamlNode): String? {
    val text = words(node, "question", QUESTION, MAX_QUESTION_LENGTH) ?: return null
    if (text.endsWith("?")) return text
    return fail(node, "the question does not end with a question mark", "Write ${text.trimEnd('.', '!', ' ')}?")
}

/** By name, in the order of the file; null in place of one that could not be read. */
private fun ParseContext.stacks(
    node: YamlNode,
    catalogue: StackCatalogue,
    own: OwnStackReader,
): Map<String, Stack?>? {
    val example = "one or more of ${catalogue.names.joinToString(", ")}"
    val nodes = members(node, "stacks", example) ?: return null
    val lines = HashMap<String, Int>()
    val stacks = LinkedHashMap<String, Stack?>()
    for (member in nodes) {
        val (name, stack) = stack(member, catalogue, own) ?: continue
        val line = lines.putIfAbsent(name, member.place.line)
        if (line == null) stacks[name] = stack
        else wrong(member, "the stack ${quoted(name)} is named twice, first on line $line", "Leave one out.")
    }
    return stacks
}

/** With its name, which is also that of one that could not be read; null without a name. */
private fun ParseContext.stack(
    node: YamlNode,
    catalogue: StackCatalogue,
    own: OwnStackReader,
): Pair<String, Stack?>? {
    if (node is YamlMap) {
        val stack = own.read(node)
        val name = stack?.name ?: (node["name"] as? YamlScalar)?.text ?: return null
        return name to stack
    }
    val written = scalar(node, "a stack", "one of ${catalogue.names.joinToString(", ")}") ?: return null
    return when (val found = catalogue.find(written)) {
        is Found.Stack -> found.stack.name to found.stack
        is Found.Nothing -> {
            val isOwn = written.any { it in " /." }
            wrong(node, found.problem, if (isFull) "" else if (isOwn) OWN_REMEDY else found.remedy())
            written to null
        }
    }
}

/** [known] are the names of the situations; null where they could not be read. */
private fun ParseContext.warmUp(node: YamlNode, known: List<String>?): WarmUpRule? {
    if (node is YamlScalar && node.text == NO_WARM_UP) return WarmUpRule.NONE
    val fields = fields(node, "warm-up", listOf("budget", "load", "pause", "compiler", "situations"), WARM_UP_EXAMPLE)
        ?: return null
    val usual = WarmUpRule()
    val load = fields.optional("load")?.let { nanos(it, "load", "100ms", "1m") ?: return null } ?: usual.loadNanos
    val pause = fields.optional("pause")?.let { nanos(it, "pause", "0s", "1m") ?: return null } ?: usual.pauseNanos
    val budget =
        fields.optional("budget")?.let { nanos(it, "budget", "100ms", "1h") ?: return null } ?: usual.budgetNanos
    val allCores =
        fields.optional("compiler")?.let { choice(it, "compiler", CORES) ?: return null } ?: usual.compilerOnAllCores
    if (budget < load) {
        return fail(node, "the warm-up's budget is shorter than one stretch of its load", "Write $WARM_UP_EXAMPLE")
    }
    val only = fields.optional("situations")?.let { warming(it, known) ?: return null }.orEmpty()
    return WarmUpRule(budget, load, pause, allCores, only)
}

private fun ParseContext.warming(node: YamlNode, known: List<String>?): List<String>? {
    val members = members(node, "situations", "names of situations of this file") ?: return null
    val names = members.map { member ->
        val name = scalar(member, "a situation", "the name of a situation of this file") ?: return null
        if (known != null && name !in known) {
            return fail(member, "there is no situation ${quoted(name)}", nearestRemedy(name, known))
        }
        name
    }
    return names.distinct()
}

private val KEYS = listOf(
    "name", "question", "source", "stacks", "services", "database", "situations", "request", "scenarios", "load",
    "connections", "trials", "margin", "baselines", "warm-up", "rest", "published", "claims", "goals", "causes",
    "agents",
)
private const val OWN_REMEDY = "Write ${OwnStackReader.EXAMPLE} for a service of your own."
private val CORES = mapOf("all cores" to true, "own cores" to false)
private const val QUESTION = "Which concurrency model fits a server like mine?"
private const val MAX_QUESTION_LENGTH = 200
private const val WARM_UP_EXAMPLE = "{budget: 30s, load: 1s, pause: 1s, compiler: all cores}"
private const val NO_WARM_UP = "none"

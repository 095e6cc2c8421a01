package threadgauge.plan.command

import java.nio.file.Path
import threadgauge.experiment.load.load
import threadgauge.experiment.request.Rows
import threadgauge.experiment.request.request
import threadgauge.experiment.request.requestLine
import threadgauge.experiment.target.pathOf
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlList
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.openText
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.yaml
import threadgauge.model.Load
import threadgauge.model.Stack
import threadgauge.model.request.Request

/** Reads the [text] of an option with a reader of experiment files. Mistakes name the [option]. */
internal fun <T : Any> optionValue(option: String, text: String, read: ParseContext.(YamlNode) -> T?): T {
    val context = ParseContext(option, text, Path.of(""))
    val value = context.read(YamlScalar(TextPosition(1, 1), text, quoted = true))
    context.throwNaming { option }
    return checkNotNull(value) { "$option gave neither a value nor a mistake" }
}

/** The load of the options, read as `load` in an experiment file. */
internal fun tryLoad(order: TryOrder): Load {
    val shapes = order.loads
    val mistakes = Mistakes()
    if (shapes.size > 1) {
        mistakes.add(shapes.joinToString { "--${it.first}" }, "these are different loads", "Give one of them.")
    }
    if (order.burst != null && order.length != null) {
        mistakes.add(
            "--for",
            "a burst arrives in one instant",
            "Leave --for out, or give --users, --rate or --ramp in place of --burst.",
        )
    }
    if (order.steps != null && order.length != null) {
        mistakes.add("--for", "each step says how long it lasts", "Leave --for out.")
    }
    val (key, text) = shapes.singleOrNull() ?: ("users" to USUAL_USERS)
    if (order.think != null && key != "users") {
        mistakes.add("--think", "only users think, and this load has none", "Give --users, or leave --think out.")
    }
    mistakes.throwAll()
    if (key == "steps") return optionValue("--steps", text) { steps(text) }
    val values = listOf(key to text) +
        (if (key == "burst") emptyList() else listOf("for" to (order.length ?: USUAL_LENGTH))) +
        listOfNotNull(order.think?.let { "think" to it })
    val context = ParseContext("load", values.joinToString("\n") { it.second }, Path.of(""))
    // Each option has a line of its own, so that a mistake can be traced to it by its line.
    val nodes = values.mapIndexed { index, (name, value) ->
        YamlScalar(
            TextPosition(index + 1, 1), name, quoted = false,
        ) to YamlScalar(TextPosition(index + 1, 1), value, quoted = true)
    }
    val load = context.load(YamlMap(TextPosition(1, 1), nodes.toMap()))
    context.throwNaming { line -> "--" + values[line - 1].first }
    return checkNotNull(load) { "the options gave neither a load nor a mistake" }
}

/** `100/s for 5s, 400/s for 5s` */
private fun ParseContext.steps(text: String): Load? {
    val place = TextPosition(1, 1)
    fun value(text: String) = YamlScalar(place, text, quoted = true)
    val parts = text.split(',').map { it.trim() }
    val steps = parts.map { part ->
        val (rate, length) = STEP.matchEntire(part)?.destructured
            ?: return fail(value(text), "${quoted(part)} is not a step", STEPS_REMEDY)
        YamlMap(place, mapOf(value("rate") to value(rate), value("for") to value(length)))
    }
    return load(YamlMap(place, mapOf(value("steps") to YamlList(place, steps))))
}

/** The same mistakes for a command line: with options instead of lines, and options in the remedies. */
private fun ParseContext.throwNaming(option: (line: Int) -> String) {
    if (!hasMistakes) return
    val mistakes = mistakes().map { mistake ->
        val name = option(mistake.line)
        mistake.copy(
            file = name, line = 0, column = 0, sourceLine = "",
            problem = mistake.problem.removePrefix("${name.removePrefix("--")}: "),
            remedy = LOAD_IN_A_FILE.replace(mistake.remedy, "--$1 $2 --for $3"),
        )
    }
    throw ExperimentMistakes(mistakes)
}

/** The requests for all targets: from a file, from each `--path`, or from the path of a URL. */
internal class TryRequest(private val order: TryOrder, private val targets: List<Stack>) {
    private val inUrls = targets.mapNotNull { it.url?.let(::pathOf) }.distinct()

    fun read(): List<Request> {
        val paths = listOfNotNull(order.path) + order.morePaths
        val mistakes = Mistakes()
        if (order.path != null && order.requestFile != null) {
            mistakes.add("--path, --request", "both say what to ask for", "Give one of them.")
        }
        if (inUrls.size > 1) {
            val remedy = "All targets are asked for the same: write the URLs without a path, and give --path."
            mistakes.add("TARGET", "the URLs have different paths: ${inUrls.joinToString { quoted(it) }}", remedy)
        } else if (inUrls.isNotEmpty() && paths.any { it != inUrls.single() }) {
            mistakes.add(
                "--path", "the URL says ${quoted(inUrls.single())}", "Leave the path out of the URL, or --path.",
            )
        } else if (inUrls.isNotEmpty() && order.requestFile != null) {
            mistakes.add("--request", "the URL has a path, and the file has one too", "Leave the path out of the URL.")
        }
        paths.groupBy { it }.filterValues { it.size > 1 }.keys.forEach {
            mistakes.add("--path", "${quoted(it)} is here twice", "Leave one out; trials come from --trials.")
        }
        if (paths.size > MAX_PATHS) {
            mistakes.add("--path", "there are more than $MAX_PATHS paths", "Write an experiment file.")
        }
        mistakes.throwAll()
        if (order.requestFile == null && paths.isNotEmpty()) return paths.map { ofPath("--path", it) }
        return listOf(order.requestFile?.let(::ofFile) ?: inUrls.singleOrNull()?.let { ofPath("TARGET", it) }
            ?: Request(path = usual()))
    }

    private fun ofPath(option: String, path: String): Request = optionValue(option, path) { node ->
        requestLine(YamlScalar(node.place, "GET $path", quoted = true), Rows.NONE)
            ?.let { (method, asked) -> Request(method, asked) }
    }

    /** A file with the content of `request` in an experiment file, with or without that key. */
    private fun ofFile(file: Path): Request {
        val context = openText(file)
        val root = context.yaml()
        if (root == null && !context.hasMistakes) {
            context.wrong(TextPosition(1, 1), "the file says nothing", "Write send: GET /orders")
        }
        val inner = (root as? YamlMap)?.takeIf { it.entries.size == 1 }?.get("request") ?: root
        val request = inner?.let { context.request(it) }
        context.throwMistakes()
        return checkNotNull(request) { "$file gave neither a request nor a mistake" }
    }

    /** Shipped stacks do not serve the root. */
    private fun usual() = if (targets.any { it.keepsContract }) "/hello" else "/"
}

private const val STEPS_REMEDY = "Write --steps \"100/s for 5s, 400/s for 5s\"."
private val STEP = Regex("(\\S+) for (\\S+)")
private const val MAX_PATHS = 20
private val LOAD_IN_A_FILE = Regex("""\{(\w+): ([^,{}]+), for: ([^,{}]+)}""")
private const val USUAL_USERS = "50"
private const val USUAL_LENGTH = "10s"

package threadgauge.experiment.request

import threadgauge.experiment.load.think
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.YamlError
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.experiment.yaml.yesOrNo
import threadgauge.model.request.Piece
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step
import threadgauge.model.request.pieces

/** Reads `scenarios`: what users do, by name, each with its steps and, where there are several, its weight. */
internal fun ParseContext.scenarios(node: YamlNode): List<Scenario>? {
    if (node is YamlError) return null
    if (node !is YamlMap) {
        return fail(node, "scenarios needs names with steps, and this is ${node.kind}", "Write $SCENARIO_EXAMPLE")
    }
    val before = mistakeCount
    if (node.entries.size > MAX_SCENARIOS) {
        return fail(node, "there are more than $MAX_SCENARIOS scenarios", "Use several files.")
    }
    val scenarios = node.entries.map { (key, value) ->
        val name = name(key, "the name of a scenario")
        val fields = fields(value, "a scenario", listOf("weight", "steps"), SCENARIO_EXAMPLE) ?: return@map null
        val weight = fields.optional("weight")?.let {
            quantity(it, "weight", Quantity.percent, "0.1%", "100%") ?: return@map null
        }
        val steps = fields.required("steps", "steps: [GET /products, {think: 1s..3s}]")
            ?.let { StepsReader(this).read(it) }
        if (name == null || steps == null) return@map null
        Scenario(name, weight?.let(::exact) ?: NO_WEIGHT, steps.first, steps.second)
    }
    if (mistakeCount > before) return null
    return weighted(node, scenarios.filterNotNull())
}

/** Without the rounding error of a percentage: 0.7, not 0.7000000000000001. */
private fun exact(share: Double) = Math.round(share * PER_MILLION) / PER_MILLION

/** All scenarios have a weight, or none; then they are drawn equally often. */
private fun ParseContext.weighted(node: YamlMap, scenarios: List<Scenario>): List<Scenario>? {
    val without = scenarios.filter { it.weight == NO_WEIGHT }
    if (without.size == scenarios.size) return scenarios.map { it.copy(weight = 1.0) }
    if (without.isEmpty()) return scenarios
    val key = node.keyNode(without.first().name) ?: node
    val problem = "${quoted(without.first().name)} has no weight, and others have one"
    return fail(key, problem, "Add weight: 30%, for example.")
}

/** Reads the steps of one scenario, in order: what a step keeps can be used by those after it. */
private class StepsReader(private val context: ParseContext) {
    private val steps = ArrayList<Step>()
    private val order = ArrayList<Int>()
    private val kept = LinkedHashSet<String>()
    private val later = ArrayList<Pair<YamlNode, Request>>()

    /** The steps, and their order where some are repeated. */
    fun read(node: YamlNode): Pair<List<Step>, List<Int>>? = with(context) {
        val before = mistakeCount
        members(node, "steps", "GET /products")?.forEach { take(it, isRepeated = false) }
        if (mistakeCount > before) return null
        if (steps.isEmpty()) return fail(node, "a scenario without a request", "Write steps: [GET /products].")
        if (order.size > MAX_COURSE) {
            return fail(node, "a pass has more than $MAX_COURSE requests", "Repeat fewer steps.")
        }
        for ((place, request) in later) refuseUnkept(place, request)
        if (mistakeCount > before) return null
        steps to if (order == steps.indices.toList()) emptyList() else order
    }

    private fun take(node: YamlNode, isRepeated: Boolean) {
        when {
            node is YamlMap && "think" in node && "send" !in node -> pause(node)
            node is YamlMap && "repeat" in node -> repeat(node, isRepeated)
            else -> request(node)
        }
    }

    private fun pause(node: YamlMap): Unit = with(context) {
        val fields = fields(node, "a pause", listOf("think"), "{think: 1s..3s}") ?: return
        val think = think(fields.optional("think")!!) ?: return
        val last = steps.lastOrNull()
        when {
            last == null -> wrong(node, "a pause before the first request", "Put it after a request.")
            last.think != null -> wrong(node, "two pauses, one after the other", "Write one of them: {think: 1s..3s}.")
            else -> steps[steps.lastIndex] = last.copy(think = think)
        }
    }

    private fun repeat(node: YamlMap, isRepeated: Boolean): Unit = with(context) {
        val fields = fields(node, "a repetition", listOf("repeat", "steps"), REPEAT_EXAMPLE) ?: return
        if (isRepeated) return wrong(node, "a repetition within a repetition", "Write the steps of the inner one out.")
        val times = wholeNumber(fields.optional("repeat")!!, "repeat", 2..MAX_COURSE) ?: return
        val from = order.size
        fields.required("steps", "steps: [GET /products]")?.let { members(it, "steps", "GET /products") }
            ?.forEach { take(it, isRepeated = true) }
        val once = order.subList(from, order.size).toList()
        if (order.size + once.size.toLong() * (times - 1) > MAX_COURSE) {
            return wrong(node, "a pass has more than $MAX_COURSE requests", "Repeat fewer steps.")
        }
        repeat(times - 1) { order += once }
    }

    private fun request(node: YamlNode): Unit = with(context) {
        val before = mistakeCount
        val fields = if (node is YamlMap) fields(node, "a step", STEP_KEYS, STEP_EXAMPLE) ?: return else null
        val request = if (fields == null) plainRequest(node, kept) else requestOf(fields, kept)
        val keep = fields?.optional("keep")?.let { kept(it) }.orEmpty()
        val goesOn = fields?.optional("goes-on")?.let { yesOrNo(it, "goes-on") } ?: false
        val name = fields?.optional("name")?.let { words(it, "name", "pay", MAX_NAME_LENGTH) }
        if (request == null || mistakeCount > before) return
        if (request.isEndless) {
            return wrong(node, "a stream as a step needs an end", "Give its messages: expect: {messages: 100}.")
        }
        if (request.stream != null && keep.isNotEmpty()) {
            return wrong(node, "a stream is not kept, so nothing of it can be", "Leave \"keep\" out.")
        }
        if (steps.size == MAX_STEPS) {
            return wrong(node, "there are more than $MAX_STEPS steps", "Use several scenarios.")
        }
        if (name != null && steps.any { it.name == name }) {
            wrong(fields!!.optional("name")!!, "two steps are named ${quoted(name)}", "Give each a name of its own.")
        }
        order += steps.size
        steps += Step(name ?: nameOf(request), request, keep, goesOn = goesOn)
        kept += keep.keys
        later += node to request
    }

    /** "POST /carts/{cart}/items"; of several alike the later ones have a number. */
    private fun nameOf(request: Request): String {
        val plain = "${request.method} ${request.path.substringBefore('?')}".take(MAX_NAME_LENGTH)
        val taken = steps.map { it.name }
        return generateSequence(1) { it + 1 }.map { if (it == 1) plain else "$plain ($it)" }.first { it !in taken }
    }

    /** A name in braces that only a later step keeps would be sent as it stands. */
    private fun refuseUnkept(node: YamlNode, request: Request) {
        val before = LinkedHashSet<String>()
        for (step in steps) {
            if (step.request === request) break
            before += step.keep.keys
        }
        val used = (listOf(request.path, request.body.orEmpty()) + request.headers.values)
            .flatMap { pieces(it, kept) }.filterIsInstance<Piece.Kept>().map { it.name }
        (used - before).distinct().forEach {
            context.wrong(node, "{$it} is used before a step keeps it", "Keep it in a step before this one.")
        }
    }
}

internal const val SCENARIO_EXAMPLE =
    "scenarios: {browse: {weight: 70%, steps: [GET /products, {think: 1s..3s}, GET /products/{1..100}]}}"
private const val STEP_EXAMPLE = "GET /products, or keys such as {send: POST /carts, keep: {cart: \"json:id\"}}"
private const val REPEAT_EXAMPLE = "{repeat: 3, steps: [GET /products, {think: 1s}]}"
private val STEP_KEYS = REQUEST_KEYS + listOf("keep", "goes-on", "name")
private const val NO_WEIGHT = 0.0
private const val PER_MILLION = 1e6
private const val MAX_SCENARIOS = 20
private const val MAX_STEPS = 100
private const val MAX_COURSE = 1_000
private const val MAX_NAME_LENGTH = 60

package threadgauge.experiment

import threadgauge.experiment.load.load
import threadgauge.experiment.load.sale
import threadgauge.experiment.request.connections
import threadgauge.experiment.request.refuseConnectionsUnfitFor
import threadgauge.experiment.request.request
import threadgauge.experiment.request.scenarios
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.slug
import threadgauge.experiment.yaml.words
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Stream
import threadgauge.model.request.words
import threadgauge.model.shortName
import threadgauge.model.words

/**
 * Reads the situations of an experiment in either form: listed under `situations`, or as `request` and `load` at the
 * top level, where each request with each load becomes a situation with a generated name and words.
 */
internal fun ParseContext.situations(experiment: Fields): List<Situation>? {
    val short = SHORT_FORM.filter { it in experiment }
    if ("situations" in experiment) {
        for (key in short) {
            val problem = "\"$key\" does not go with \"situations\""
            wrong(experiment.keyNode(key), problem, "Move it into a situation, or leave it out.")
        }
        return members(experiment.optional("situations")!!, "situations", SITUATION_EXAMPLE)?.let(::writtenOut)
    }
    if (short.isEmpty() && !SHORT_FORM.any(experiment::isMeant)) {
        experiment.required("situations", "request: GET /hello and another such as load: {users: 50, for: 5s}")
        return null
    }
    if ("scenarios" in experiment && "request" in experiment) {
        return fail(experiment.keyNode("request"), BOTH_ASK, "Write it as a step of a scenario, or leave it out.")
    }
    val scenarios = experiment.optional("scenarios")?.let { scenarios(it) ?: return null }
    val requests = if (scenarios != null) null else experiment.required("request", "request: GET /hello")
        ?.let { members(it, "request", "GET /hello") }?.let { distinct(it, "request") { node -> request(node) } }
    val loads = experiment.required("load", "load: {users: 50, for: 5s}")
        ?.let { members(it, "load", "{users: 50, for: 5s}") }?.let { distinct(it, "load") { node -> load(node) } }
    val connections = experiment.optional("connections")?.let { connections(it, loads) ?: return null } ?: Connections()
    refuseSockets(experiment, connections, requests.orEmpty(), scenarios.orEmpty())
    return when {
        loads == null -> null
        scenarios != null -> played(scenarios, loads, connections)
        else -> requests?.let { combined(it, loads, connections) }
    }
}

private fun ParseContext.writtenOut(nodes: List<YamlNode>): List<Situation>? {
    if (nodes.size > MAX_SITUATIONS) {
        return fail(nodes[MAX_SITUATIONS], "there are more than $MAX_SITUATIONS situations", "Use several files.")
    }
    val places = HashMap<String, Int>()
    val situations = nodes.map { node ->
        val fields = fields(node, "a situation", SITUATION_KEYS, SITUATION_EXAMPLE) ?: return@map null
        val nameNode = fields.required("name", "name: answers-at-once")
        val name = nameNode?.let { name(it, "name") }
        val line = name?.let { places.putIfAbsent(it, nameNode.place.line) }
        if (line != null) {
            wrong(nameNode, "a situation on line $line is named \"$name\" too", "Give each a name of its own.")
        }
        val words = fields.required("words", "words: are answered at once")
            ?.let { words(it, "words", "what completes \"For requests that …\"", MAX_WORDS_LENGTH) }
        val scenarios = fields.optional("scenarios")?.let { scenarios(it) ?: return@map null }
        if (scenarios != null) refuseBeside(fields)
        val request = scenarios?.first()?.steps?.first()?.request
            ?: fields.required("request", "request: GET /hello")?.let { request(it) }
        val load = fields.required("load", "load: {users: 50, for: 5s}")?.let { load(it) }
        val connections =
            fields.optional("connections")?.let { connections(it, load?.let(::listOf)) ?: return@map null }
        if (connections != null) refuseSockets(fields, connections, listOfNotNull(request), scenarios.orEmpty())
        if (name == null || words == null || request == null || load == null) return@map null
        val sale = fields.optional("sale")?.let { sale(it, request) ?: return@map null }
        Situation(name, words, request, load, connections ?: Connections(), sale, scenarios.orEmpty())
    }
    return situations.filterNotNull().takeIf { it.size == nodes.size }
}

/** WebSockets over HTTP/2 (RFC 8441) are spoken by few servers, and not here. */
private fun ParseContext.refuseSockets(
    fields: Fields,
    connections: Connections,
    requests: List<Request>,
    scenarios: List<Scenario>,
) {
    if (connections.protocol == Protocol.HTTP_1_1) return
    val all = requests + scenarios.flatMap { scenario -> scenario.steps.map { it.request } }
    if (all.none { it.stream == Stream.WEBSOCKET }) return
    wrong(fields.keyNode("connections"), "a WebSocket needs HTTP/1.1", "Leave the protocol out.")
}

private fun ParseContext.refuseBeside(situation: Fields) {
    if ("request" in situation) {
        wrong(situation.keyNode("request"), BOTH_ASK, "Write it as a step of a scenario, or leave it out.")
    }
    if ("sale" in situation) {
        wrong(situation.keyNode("sale"), "a sale has one request, and no scenarios", "Write request in their place.")
    }
}

/** [loads] are the loads of these connections; null if they could not be read. */
private fun ParseContext.connections(node: YamlNode, loads: List<Load>?): Connections? {
    val connections = connections(node) ?: return null
    val before = mistakeCount
    if (loads != null) refuseConnectionsUnfitFor(node, loads)
    return connections.takeIf { mistakeCount == before }
}

/** Reads all [nodes], and reports duplicates. Null if any is wrong. */
private fun <T : Any> ParseContext.distinct(nodes: List<YamlNode>, what: String, read: (YamlNode) -> T?): List<T>? {
    if (nodes.size > MAX_SITUATIONS) {
        return fail(nodes[MAX_SITUATIONS], "there are more than $MAX_SITUATIONS", "Use several files.")
    }
    val values = LinkedHashMap<T, Int>()
    for (node in nodes) {
        val value = read(node) ?: continue
        val line = values.putIfAbsent(value, node.place.line) ?: continue
        wrong(node, "this $what is the same as the one on line $line", "Leave it out; trials come from \"trials\".")
    }
    return values.keys.toList().takeIf { it.size == nodes.size }
}

internal fun combined(requests: List<Request>, loads: List<Load>, connections: Connections): List<Situation> {
    val taken = mutableSetOf<String>()
    return requests.flatMap { request -> loads.map { request to it } }.map { (request, load) ->
        val what = "${request.method.takeIf { it != "GET" }.orEmpty()} ${request.path}".take(MAX_REQUEST_LENGTH)
        val plain = slug("$what ${load.shortName}").take(MAX_NAME_LENGTH).trimEnd('-')
        val name = generateSequence(1) { it + 1 }.map { if (it == 1) plain else "$plain-$it" }.first(taken::add)
        Situation(name, "call ${request.words()} (${load.words()})", request, load, connections)
    }
}

/** A situation for each of [loads], whose users follow [scenarios]. */
private fun played(scenarios: List<Scenario>, loads: List<Load>, connections: Connections): List<Situation> {
    val names = scenarios.map { it.name }
    val who = if (names.size == 1) names.single() else "${names.dropLast(1).joinToString()} and ${names.last()}"
    return loads.map { load ->
        val name = slug("${names.joinToString("-").take(MAX_REQUEST_LENGTH)} ${load.shortName}").take(MAX_NAME_LENGTH)
        val words = "are steps of $who (${load.words()})"
        Situation(name.trimEnd('-'), words, scenarios.first().steps.first().request, load, connections, null, scenarios)
    }
}

private val SHORT_FORM = listOf("request", "scenarios", "load", "connections")
private val SITUATION_KEYS = listOf("name", "words", "request", "scenarios", "load", "connections", "sale", "goals")
private const val BOTH_ASK = "\"request\" and \"scenarios\" both say what is asked"
private const val SITUATION_EXAMPLE =
    "- {name: answers-at-once, words: are answered at once, request: GET /hello, load: {users: 50, for: 5s}}"
private const val MAX_SITUATIONS = 100
private const val MAX_WORDS_LENGTH = 100

/** The name is part of a file name, and file systems allow at most 255 characters. */
private const val MAX_NAME_LENGTH = 80
private const val MAX_REQUEST_LENGTH = 40

package threadgauge.experiment.target

import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.stack.texts
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.ServiceReady
import threadgauge.model.request.MAX_PORT

/**
 * Services of the user's own in an experiment file, such as a database: started once before the stacks, on the load
 * agent's cores, and stopped after them. What they pass to stacks of the user's own are variables of the environment.
 */
internal fun ParseContext.ownServices(node: YamlNode, catalogue: StackCatalogue): List<Service> {
    val reader = OwnServiceReader(this, catalogue)
    return members(node, "services", OwnServiceReader.EXAMPLE).orEmpty().mapNotNull(reader::read)
}

private class OwnServiceReader(private val context: ParseContext, private val catalogue: StackCatalogue) {
    private val linesOfNames = HashMap<String, Int>()
    private val ownersOfVariables = HashMap<String, String>()

    fun read(node: YamlNode): Service? {
        val before = context.mistakeCount
        val fields = context.fields(node, "a service of your own", KEYS, EXAMPLE) ?: return null
        val name = fields.required("name", "name: db")?.let { newName(it) }
        val folder = context.ownFolder(fields)
        val environment = context.environment(fields, "env")
        val passes = context.environment(fields, "passes")
        if ("upstream" in fields) return standIn(fields, name, passes, before)
        if ("container" in fields) return contained(fields, name, environment, passes, before)
        for (key in ONLY_CONTAINED.filter { it in fields }) {
            context.wrong(fields.keyNode(key), "${quoted(key)} goes with \"container\"", "Put it into the command.")
        }
        val command = fields.required("command", "command: \"postgres -p {port}\"")
            ?.let { if (folder == null) null else context.ownCommand(it, COMMAND_EXAMPLE, catalogue, folder) }
        val isTold = command == null || (command.command + command.environment.values + environment.values)
            .any { PORT in it }
        val ready = ready(fields, node, isTold)
        if (name != null) refuseSharedVariables(fields, name, passes)
        if (context.mistakeCount > before || name == null || command == null || ready == null) return null
        return Service(
            name, ServiceKind.OWN, command.command, command.folder, module = null, paths = emptyList(),
            environment = command.environment + environment, ready = ready, passes = passes,
        )
    }

    /** A backend that comes with Threadgauge stands in for the user's. [before] is the number of mistakes so far. */
    private fun standIn(fields: Fields, name: String?, passes: Map<String, String>, before: Int): Service? {
        refuse(fields, listOf("command", "container", "env", "folder", "ready") + ONLY_CONTAINED, "upstream")
        val options = context.standIn(fields.optional("upstream")!!)
        if (name != null) refuseSharedVariables(fields, name, passes)
        val shipped = catalogue.services.firstOrNull { it.kind == ServiceKind.UPSTREAM }
        if (context.mistakeCount > before || name == null || options == null || shipped == null) return null
        return Service(
            name, ServiceKind.OWN, shipped.command + options, shipped.folder, shipped.module, paths = emptyList(),
            ready = ServiceReady(PORT), passes = passes,
        )
    }

    /** [before] is the number of mistakes so far. */
    private fun contained(
        fields: Fields,
        name: String?,
        environment: Map<String, String>,
        passes: Map<String, String>,
        before: Int,
    ): Service? {
        refuse(fields, listOf("command", "folder"), "container")
        val port = fields.required("port", "port: 5432")?.let { context.wholeNumber(it, "port", 1..MAX_PORT) }
        val arguments = fields.optional("arguments")?.let { context.texts(it, "arguments") }.orEmpty()
        val container = context.container(fields.optional("container")!!, fields, port)
        val ready = fields.optional("ready")
            ?.let { node -> ready(node, isTold = true)?.also { ownPort(node, it, port) } }
        if (name != null) refuseSharedVariables(fields, name, passes)
        context.refuseHere(fields.optional("passes") ?: fields.optional("container")!!, name, passes)
        if (context.mistakeCount > before || name == null || container == null) return null
        return Service(
            name, ServiceKind.OWN, arguments, "${context.neighbours.folder.toAbsolutePath().normalize()}",
            module = null, paths = emptyList(), environment = environment, ready = ready ?: ServiceReady(PORT),
            passes = passes, container = container,
        )
    }

    /** Of a network of its own, no other port than [port] can be reached. */
    private fun ownPort(node: YamlNode, ready: ServiceReady, port: Int?) {
        if (ready.port == PORT || ready.port == "$port") return
        context.wrong(node, "only the port of the container can be asked", "Write tcp {port}, or the path alone.")
    }

    private fun refuse(fields: Fields, keys: List<String>, other: String) {
        for (key in keys.filter { it in fields }) {
            context.wrong(fields.keyNode(key), "\"$key\" does not go with \"$other\"", "Leave one of them out.")
        }
    }

    private fun newName(node: YamlNode): String? {
        val name = context.name(node, "name") ?: return null
        if (catalogue.services.any { it.name == name } || AGENT.matches(name)) {
            val problem = "${quoted(name)} is the name of something that comes with Threadgauge"
            return context.fail(node, problem, "Give yours another, such as my-$name.")
        }
        val line = linesOfNames.putIfAbsent(name, node.place.line)
        if (line != null) {
            return context.fail(node, "a service on line $line is named ${quoted(name)} too", "Give each its own name.")
        }
        return name
    }

    /** By default when the port that it is told is open; [isTold] says whether it is told one. */
    private fun ready(fields: Fields, node: YamlNode, isTold: Boolean): ServiceReady? {
        val given = fields.optional("ready") ?: return ServiceReady(PORT).also { if (!isTold) refuseUntold(node) }
        return ready(given, isTold)
    }

    private fun ready(given: YamlNode, isTold: Boolean): ServiceReady? {
        val text = context.words(given, "ready", READY_EXAMPLE, MAX_COMMAND_LENGTH) ?: return null
        val words = text.split(' ').filter { it.isNotEmpty() }
        val (kind, place) = (words + listOf("", "")).take(2)
        val ready = when {
            words.size > 2 -> null
            kind == "tcp" && (place == PORT || place.toIntOrNull() in 1..MAX_PORT) -> ServiceReady(place)
            kind == "GET" && place.startsWith("/") -> ServiceReady(PORT, place)
            else -> null
        } ?: return context.fail(given, "${quoted(text)} does not say when it is ready", "Write $READY_EXAMPLE.")
        if (ready.port == PORT && !isTold) refuseUntold(given)
        return ready
    }

    private fun refuseUntold(node: YamlNode) {
        val remedy = "Write {port} where the port belongs in \"command\" or \"env\", or ready: tcp 5432 for its own."
        context.wrong(node, "this service does not get a port, so nobody knows when it is ready", remedy)
    }

    private fun refuseSharedVariables(fields: Fields, name: String, passes: Map<String, String>) {
        for (variable in passes.keys) {
            val other = ownersOfVariables.putIfAbsent(variable, name) ?: continue
            val problem = "the service ${quoted(other)} passes ${quoted(variable)} too"
            context.wrong(fields.keyNode("passes"), problem, "Leave it out of one of them.")
        }
    }

    companion object {
        const val EXAMPLE = "{name: db, command: \"postgres -D {folder} -p {port}\", passes: {DB_PORT: \"{port}\"}}"
        private const val COMMAND_EXAMPLE = "a command in quotes, such as \"postgres -p {port}\""
        private const val READY_EXAMPLE = "ready: tcp {port}, ready: tcp 5432 or ready: GET /health"
        private const val PORT = "{port}"

        /** Of the load agents, whose logs lie beside those of services. */
        private val AGENT = Regex("agent(-\\d+)?")
        private val ONLY_CONTAINED = listOf("port", "options", "arguments")
        private val KEYS =
            listOf("name", "command", "container", "upstream", "env", "folder", "ready", "passes") + ONLY_CONTAINED
    }
}

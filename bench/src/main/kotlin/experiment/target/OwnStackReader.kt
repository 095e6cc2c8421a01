package threadgauge.experiment.target

import java.nio.file.Files
import java.nio.file.Path
import threadgauge.experiment.request.request
import threadgauge.experiment.stack.MODELS
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.stack.texts
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack
import threadgauge.model.request.Connections
import threadgauge.model.request.MAX_PORT
import threadgauge.model.request.ServiceUrl
import threadgauge.model.request.Tls

/**
 * Reads stacks of the user's own in an experiment file: a command, a jar, a container, or the URL of a service that
 * runs already. Commands run in the folder of the file unless the stack has its own, and names of files are relative to
 * that. Of hosts other than this machine, only those in [mayLoad] are accepted. Mistakes go to [context].
 */
internal class OwnStackReader(
    private val context: ParseContext,
    private val catalogue: StackCatalogue,
    private val mayLoad: Set<String>,
) {
    fun read(node: YamlNode): Stack? {
        val before = context.mistakeCount
        val fields = context.fields(node, "a stack of your own", KEYS, EXAMPLE) ?: return null
        val name = fields.required("name", "name: shop")?.let { newName(it) }
        val title = fields.optional("title")?.let { context.words(it, "title", "words for people", MAX_TITLE_LENGTH) }
        val model = fields.optional("model")?.let { context.choice(it, "model", MODELS) }
        val folder = context.ownFolder(fields)
        val environment = context.environment(fields, "env")
        val port = fields.optional("port")?.let { context.wholeNumber(it, "port", 1..MAX_PORT) }
        val startWithin = fields.optional("start-within")?.let { context.nanos(it, "start-within", "1s", "1h") }
        val ready = fields.optional("ready")?.let { context.request(it) }
        val started = folder?.let { whatIsStarted(fields, it, port) }
        if (context.mistakeCount > before || name == null || started == null) return null
        val plain = started.copy(
            name = name, title = title ?: name, model = model ?: ConcurrencyModel.UNKNOWN,
            environment = started.environment + environment, ready = ready,
            // Of a container it is the port within, and none of this machine's.
            port = port.takeIf { started.container == null },
        )
        return plain.copy(startWithinNanos = startWithin ?: plain.startWithinNanos)
    }

    private fun newName(node: YamlNode): String? {
        val name = context.name(node, "name") ?: return null
        if (name !in catalogue.names) return name
        val problem = "${quoted(name)} is the name of a stack that comes with Threadgauge"
        return context.fail(node, problem, "Give yours another, such as my-$name.")
    }

    private fun whatIsStarted(fields: Fields, folder: Path, port: Int?): Stack? {
        val given = WAYS.filter { it in fields }
        for (key in given.drop(1)) {
            context.wrong(
                fields.keyNode(key), "${quoted(given.first())} and ${quoted(key)} both say what the stack is",
                "Keep one of them.",
            )
        }
        for ((key, ways) in ONLY_WITH.filter { (key, ways) -> key in fields && ways.none(given::contains) }) {
            val problem = "${quoted(key)} goes with ${ways.joinToString(" or ", transform = ::quoted)}"
            context.wrong(fields.keyNode(key), problem, "Put it into the command.")
        }
        val started = when (given.firstOrNull()) {
            "command" -> context.ownCommand(fields.optional("command")!!, COMMAND_EXAMPLE, catalogue, folder)
            "jar" -> jar(fields, folder)
            "container" -> contained(fields, folder, port)
            "url" -> fields.optional("url")!!.let { node -> url(node) }
            else -> {
                // Reported unless an unknown key was most likely meant.
                if (WAYS.none(fields::isMeant)) fields.required("command", WAYS_EXAMPLE)
                return null
            }
        }
        if ("url" in given) refuseWhatStarts(fields)
        return started
    }

    private fun contained(fields: Fields, folder: Path, port: Int?): Stack? {
        if ("folder" in fields) {
            context.wrong(fields.keyNode("folder"), "a container has its own folder", "Give --workdir=… in options.")
        }
        val arguments = fields.optional("arguments")?.let { context.texts(it, "arguments") }.orEmpty()
        val container = context.container(fields.optional("container")!!, fields, port) ?: return null
        return ofCommand(listOf(container.image), emptyMap(), folder).copy(command = arguments, container = container)
    }

    private fun jar(fields: Fields, folder: Path): Stack? {
        val node = fields.optional("jar")!!
        val text = context.words(node, "jar", "the jar's place, such as target/shop.jar", MAX_COMMAND_LENGTH)
        val java = fields.optional("java")?.let { context.texts(it, "java") }.orEmpty()
        val arguments = fields.optional("arguments")?.let { context.texts(it, "arguments") }.orEmpty()
        if (text == null) return null
        val file = runCatching { folder.resolve(text).normalize() }.getOrNull()
        if (file == null || !Files.isRegularFile(file)) {
            return context.fail(node, "there is no jar ${quoted(text)}", "It was looked for in $folder.")
        }
        val plain = ofCommand(listOf("{java}", "-jar", "$file"), emptyMap(), folder)
        return plain.copy(command = listOf("{java}") + java + listOf("-jar", "$file") + arguments)
    }

    private fun url(node: YamlNode): Stack? {
        val text = context.words(node, "url", "a URL, such as http://localhost:8080", MAX_COMMAND_LENGTH) ?: return null
        val stack = context.reported(node) { readUrl(text, mayLoad) } ?: return null
        if (pathOf(text) != null) {
            return context.fail(node, "the URL has a path, and the request has one too", "Leave it out here.")
        }
        val isEncrypted = ServiceUrl.of(text)?.scheme == "https"
        return stack.copy(connections = if (isEncrypted) Connections(tls = Tls()) else null)
    }

    private fun refuseWhatStarts(fields: Fields) = ONLY_WHERE_STARTED.filter { it in fields }.forEach { key ->
        context.wrong(fields.keyNode(key), "${quoted(key)} is of no use where nothing is started", "Leave it out.")
    }

    companion object {
        const val EXAMPLE = "{name: shop, command: \"java -jar shop.jar\"}"
        private const val COMMAND_EXAMPLE = "a command in quotes, such as \"java -jar shop.jar\""
        private const val WAYS_EXAMPLE =
            "command: \"java -jar shop.jar\", jar: target/shop.jar, $CONTAINER_EXAMPLE or url: http://localhost:8080"
        private val WAYS = listOf("command", "jar", "container", "url")
        private val ONLY_WITH =
            mapOf("java" to listOf("jar"), "arguments" to listOf("jar", "container"), "options" to listOf("container"))
        private val ONLY_WHERE_STARTED = listOf("env", "folder", "port", "start-within")
        private val KEYS = listOf("name", "title", "model") + WAYS + ONLY_WITH.keys + ONLY_WHERE_STARTED + "ready"
        private const val MAX_TITLE_LENGTH = 80
    }
}

/** In characters, as for a line of a file. */
internal const val MAX_COMMAND_LENGTH = 10_000

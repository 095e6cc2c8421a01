package threadgauge.experiment.stack

import java.nio.file.Path
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.words
import threadgauge.experiment.yaml.yaml
import threadgauge.model.Auditor
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Edition
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.Stack

/** The content of one `stacks.yaml`. */
internal class StackFile(val stacks: List<ShippedStack>, val options: List<StackOption>, val services: List<Service>)

/**
 * Reads one `stacks.yaml` in [folder], below the project's [root]. [fileOf] maps the names so far, of this and earlier
 * files, to their files. Mistakes go to [context].
 */
internal class StackReader(
    private val context: ParseContext,
    private val root: Path,
    private val folder: Path,
    private val fileOf: MutableMap<String, String>,
) {
    fun read(): StackFile {
        val nothing = StackFile(emptyList(), emptyList(), emptyList())
        val yaml = context.yaml()
        if (yaml == null) {
            if (!context.hasMistakes) {
                context.wrong(TextPosition(1, 1), "the file says nothing", "Write stacks: and a list of them.")
            }
            return nothing
        }
        val fields = context.fields(yaml, "a file of stacks", FILE_KEYS, "stacks: and a list of them") ?: return nothing
        val services =
            fields.optional("services")?.let { context.list(it, "services") { node -> service(node) } }.orEmpty()
        if ("stacks" !in fields && services.isNotEmpty()) return StackFile(emptyList(), emptyList(), services)
        val more = fields.optional("more")?.let { more(it) }
        val elsewhere = fields.optional("elsewhere")?.let { context.texts(it, "elsewhere") }.orEmpty()
        val auditor = fields.optional("audit")?.let { auditor(it) }
        val stacks = fields.required("stacks", "stacks:")
            ?.let { context.list(it, "stacks") { node -> stack(node, more, auditor) } }.orEmpty()
            .map { it.copy(elsewhere = elsewhere) }
        val names = stacks.mapTo(LinkedHashSet()) { it.name }
        val ofOptions = StackOptionReader(context, names, hasMore = more != null, sells = auditor != null) { node ->
            jar(node)?.let { BuiltJar(it.toString(), moduleOf(it)) }
        }
        val options = fields.optional("options")?.let { context.list(it, "options", ofOptions::read) }.orEmpty()
        return StackFile(stacks.map(::ShippedStack), options, services)
    }

    private fun stack(node: YamlNode, more: More?, auditor: Auditor?): Stack? {
        val fields = context.fields(node, "a stack", STACK_KEYS, STACK_EXAMPLE) ?: return null
        val name = newName(fields, "stack")
        val title = context.title(fields)
        val model = fields.required("model", "model: event-loop")?.let { context.choice(it, "model", MODELS) }
        val setting = fields.required("setting", "setting: as shipped")?.let { asShipped(it) }
        val jar = fields.required("jar", "jar: target/spring-mvc.jar")?.let { jar(it) }
        val java = fields.optional("java")?.let { context.texts(it, "java") ?: return null }.orEmpty()
        val argumentsNode = fields.required("arguments", "arguments: [\"--server.port={port}\"]")
        val arguments = argumentsNode?.let { context.texts(it, "arguments") }
        if (arguments != null && (arguments + java).none { "{port}" in it }) {
            context.wrong(
                argumentsNode,
                "this stack does not get its port",
                "Write {port} where the port belongs: --server.port={port}",
            )
        }
        if (name == null || title == null || model == null || setting == null || jar == null || arguments == null) {
            return null
        }
        val edition = more?.edition(name, java, arguments)
        return Stack(
            name, title, model, setting, command(jar, java, arguments), folder.toString(), moduleOf(jar),
            more = edition, keepsContract = auditor == null, auditor = auditor,
        )
    }

    /** Tuning needs a reason, and only options have one. */
    private fun asShipped(node: YamlNode): String? {
        val setting = context.choice(node, "setting", SETTINGS)
        if (setting != "tuned") return setting
        val remedy = "Write an option in its place, with setting: tuned and a reason for each change."
        return context.fail(node, "a stack is as shipped", remedy)
    }

    /** An audit applies to all stacks of the file. */
    private fun auditor(node: YamlNode): Auditor? {
        val fields = context.fields(node, "audit", AUDIT_KEYS, AUDIT_EXAMPLE) ?: return null
        val jar = fields.required("jar", "jar: ../audit/target/tickets-audit.jar")?.let { jar(it) }
        val arguments = fields.required("arguments", "arguments: [\"{event}\"]")?.let { context.texts(it, "arguments") }
        if (jar == null || arguments == null) return null
        return Auditor(command(jar, emptyList(), arguments), folder.toString(), moduleOf(jar))
    }

    /** The fuller edition of the stacks in the file. */
    private inner class More(
        private val jar: Path,
        private val paths: List<String>,
        private val java: List<String>,
        private val arguments: List<String>,
    ) {
        /** The edition of the stack of this [name], whose plain edition has this [java] and these [arguments]. */
        fun edition(name: String, java: List<String>, arguments: List<String>): Edition {
            val own = Path.of(jar.toString().replace("{name}", name))
            return Edition(paths, command(own, java + this.java, arguments + this.arguments), moduleOf(own))
        }
    }

    private fun more(node: YamlNode): More? {
        val fields = context.fields(node, "more", MORE_KEYS, MORE_EXAMPLE) ?: return null
        val jar = fields.required("jar", "jar: ../spring-mvc-more/target/spring-mvc-more.jar")?.let { jar(it) }
        val paths = fields.required("for", "for: [/api/articles]")?.let { paths(it) }
        val java = fields.optional("java")?.let { context.texts(it, "java") ?: return null }.orEmpty()
        val arguments = fields.optional("arguments")?.let { context.texts(it, "arguments") ?: return null }.orEmpty()
        return if (jar == null || paths == null) null else More(jar, paths, java, arguments)
    }

    private fun service(node: YamlNode): Service? {
        val fields = context.fields(node, "a service", SERVICE_KEYS, SERVICE_EXAMPLE) ?: return null
        val name = newName(fields, "service")
        val kind = fields.required("kind", "kind: upstream")?.let { context.choice(it, "kind", KINDS) }
        val jar = fields.required("jar", "jar: target/upstream.jar")?.let { jar(it) }
        val paths =
            if (kind?.forWhom != null) emptyList() else fields.required("for", "for: [/fanout]")?.let { paths(it) }
        val java = fields.optional("java")?.let { context.texts(it, "java") ?: return null }.orEmpty()
        val arguments = fields.optional("arguments")?.let { context.texts(it, "arguments") ?: return null }.orEmpty()
        val atAddress = fields.optional("at-address")?.let { context.texts(it, "at-address") ?: return null }
        if (name == null || kind == null || jar == null || paths == null) return null
        return Service(
            name, kind, command(jar, java, arguments), folder.toString(), moduleOf(jar), paths,
            atAddress?.let { command(jar, java, it) },
        )
    }

    private fun newName(fields: Fields, what: String): String? {
        val node = fields.required("name", "name: spring-mvc") ?: return null
        val name = context.name(node, "name") ?: return null
        val other = fileOf.putIfAbsent(name, context.file) ?: return name
        context.wrong(node, "a $what in $other is named \"$name\" too", "Give each a name of its own.")
        return name
    }

    private fun jar(node: YamlNode): Path? {
        val example = "the jar's place, such as target/spring-mvc.jar"
        val text = context.words(node, "jar", example, MAX_ARGUMENT_LENGTH) ?: return null
        val jar = folder.resolve(text).normalize()
        if (text.endsWith(".jar") && !text.startsWith("/") && jar.startsWith(root)) return jar
        val remedy = "Write its place from here: target/spring-mvc.jar."
        return context.fail(node, "${quoted(text)} is not a jar within this project", remedy)
    }

    /** The folder with the `target` in which [jar] is built, relative to the root. */
    private fun moduleOf(jar: Path): String {
        val module = generateSequence(jar.parent) { it.parent }.firstOrNull { it.fileName?.toString() == "target" }
            ?.parent ?: folder
        return root.relativize(module).joinToString("/")
    }

    private fun paths(node: YamlNode): List<String>? {
        val paths = context.texts(node, "for") ?: return null
        val wrong = paths.firstOrNull { !it.startsWith("/") } ?: return paths.takeIf { it.isNotEmpty() }
        return context.fail(
            node, "${quoted(wrong)} is not the beginning of a path", "Begin it with a slash: /api/articles.",
        )
    }
}

private fun command(jar: Path, java: List<String>, arguments: List<String>) =
    listOf("{java}") + java + listOf("-jar", jar.toString()) + arguments

private val FILE_KEYS = listOf("stacks", "more", "elsewhere", "audit", "options", "services")
private val AUDIT_KEYS = listOf("jar", "arguments")
private const val AUDIT_EXAMPLE = "audit: {jar: ../audit/target/tickets-audit.jar, arguments: [\"{event}\"]}"
private val STACK_KEYS = listOf("name", "title", "model", "setting", "jar", "java", "arguments")
private val MORE_KEYS = listOf("jar", "for", "java", "arguments")
private val SERVICE_KEYS = listOf("name", "kind", "jar", "for", "java", "arguments", "at-address")
internal val MODELS =
    (ConcurrencyModel.entries - ConcurrencyModel.UNKNOWN).associateBy { it.name.lowercase().replace('_', '-') }
internal val SETTINGS = listOf("as shipped", "tuned").associateWith { it }

/** A ledger was of the kind `books` before version 0.2; that name is still accepted, and is in records. */
private val KINDS = (ServiceKind.entries - ServiceKind.OWN).associateBy { it.name.lowercase() } +
    ("ledger" to ServiceKind.BOOKS)
private const val STACK_EXAMPLE = "- {name: …, title: …, model: …, setting: …, jar: …, arguments: […]}"
private const val MORE_EXAMPLE = "more: {jar: ../spring-mvc-more/target/spring-mvc-more.jar, for: [/api/articles]}"
private const val SERVICE_EXAMPLE = "- {name: upstream, kind: upstream, jar: target/upstream.jar, for: [/fanout]}"
internal const val MAX_ARGUMENT_LENGTH = 1_000

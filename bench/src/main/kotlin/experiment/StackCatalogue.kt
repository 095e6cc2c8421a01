package threadgauge.experiment

import threadgauge.model.ConcurrencyModel
import threadgauge.model.Stack
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

/** Every stack that can be measured here, in the order of the folders and, within a folder, of the file. */
class StackCatalogue(val stacks: List<Stack>) {
    /** Names, in the order of [stacks]. */
    val names: Set<String> = stacks.mapTo(LinkedHashSet()) { it.name }

    operator fun get(name: String): Stack? = stacks.firstOrNull { it.name == name }

    companion object {
        /**
         * Reads `servers/<folder>/stacks.yaml` under [root]. Nothing needs to be built: jars are named, not opened.
         * Throws [ExperimentMistakes] with the mistakes of all files, or when there is no such file at all.
         */
        fun read(root: Path): StackCatalogue {
            val base = root.toAbsolutePath().normalize()
            val files = stackFiles(base.resolve("servers"))
            if (files.isEmpty()) {
                val remedy = "Is $base the root of Threadgauge?"
                throw wholeFile(base.resolve("servers"), "no folder here holds a stacks.yaml", remedy)
            }
            val mistakes = mutableListOf<ExperimentMistake>()
            val fileOf = HashMap<String, String>()
            val stacks = files.flatMap { file ->
                try {
                    val reading = openText(file)
                    val stacks = reading.stacks(file.parent, base.relativize(file.parent).joinToString("/"), fileOf)
                    mistakes += reading.mistakes()
                    stacks
                } catch (unreadable: ExperimentMistakes) {
                    mistakes += unreadable.mistakes
                    emptyList()
                }
            }
            if (mistakes.isNotEmpty()) throw ExperimentMistakes(mistakes)
            return StackCatalogue(stacks)
        }
    }
}

private fun stackFiles(servers: Path): List<Path> = try {
    Files.newDirectoryStream(servers).use { folders ->
        folders.map { it.resolve("stacks.yaml") }.filter(Files::exists).sortedBy { it.parent.fileName.toString() }
    }
} catch (_: IOException) {
    emptyList()
}

/** [fileOf] holds the file of every stack named so far, in this file and in those before. */
private fun Reading.stacks(folder: Path, module: String, fileOf: MutableMap<String, String>): List<Stack> {
    val root = yaml()
    if (root == null) {
        if (!hasMistakes) wrong(Place(1, 1), "the file says nothing", "Write stacks: and a list of them.")
        return emptyList()
    }
    val nodes = fields(root, "a file of stacks", listOf("stacks"), "stacks: and a list of them")
        ?.required("stacks", "stacks:")?.let { members(it, "stacks", "- {name: …, title: …, …}") }.orEmpty()
    return nodes.mapNotNull { stack(it, folder, module, fileOf) }
}

private fun Reading.stack(node: Node, folder: Path, module: String, fileOf: MutableMap<String, String>): Stack? {
    val fields = fields(node, "a stack", KEYS, STACK_EXAMPLE) ?: return null
    val nameNode = fields.required("name", "name: spring-mvc")
    val name = nameNode?.let { name(it, "name") }
    val other = name?.let { fileOf.putIfAbsent(it, file) }
    if (other != null) wrong(nameNode, "a stack in $other is named \"$name\" too", "Give each a name of its own.")
    val title = fields.required("title", "title: Spring MVC on Tomcat")
        ?.let { words(it, "title", "words for people", LONGEST_TITLE) }
    val model = fields.required("model", "model: event-loop")?.let { choice(it, "model", MODELS) }
    val setting = fields.required("setting", "setting: as shipped")?.let { choice(it, "setting", SETTINGS) }
    val jar = fields.required("jar", "jar: target/spring-mvc.jar")?.let { jar(it, folder) }
    val java = fields.optional("java")?.let { texts(it, "java") ?: return null }.orEmpty()
    val argumentsNode = fields.required("arguments", "arguments: [\"--server.port={port}\"]")
    val arguments = argumentsNode?.let { texts(it, "arguments") }
    if (arguments != null && (arguments + java).none { "{port}" in it }) {
        wrong(argumentsNode, "nothing tells this stack its port", "Write {port} where the port belongs: --server.port={port}")
    }
    if (name == null || title == null || model == null || setting == null || jar == null || arguments == null) return null
    val command = listOf("{java}") + java + listOf("-jar", jar) + arguments
    return Stack(name, title, model, setting, command, folder.toString(), module)
}

private fun Reading.jar(node: Node, folder: Path): String? {
    val text = words(node, "jar", "the jar's place, such as target/spring-mvc.jar", LONGEST_ARGUMENT) ?: return null
    if (text.endsWith(".jar") && !text.startsWith("/")) return folder.resolve(text).normalize().toString()
    return nothing(node, "${quoted(text)} is not a jar within this folder", "Write its place from here: target/spring-mvc.jar.")
}

/** A list of texts, which may be empty. */
private fun Reading.texts(node: Node, what: String): List<String>? {
    if (node is Items && node.items.isEmpty()) return emptyList()
    val members = members(node, what, "a list of texts") ?: return null
    val texts = members.map { words(it, "one of $what", "a text, in quotes", LONGEST_ARGUMENT) }
    return texts.filterNotNull().takeIf { it.size == members.size }
}

private val KEYS = listOf("name", "title", "model", "setting", "jar", "java", "arguments")
private val MODELS = (ConcurrencyModel.entries - ConcurrencyModel.UNKNOWN).associateBy { it.name.lowercase().replace('_', '-') }
private val SETTINGS = listOf("as shipped", "tuned").associateWith { it }
private const val STACK_EXAMPLE = "- {name: …, title: …, model: …, setting: …, jar: …, arguments: […]}"
private const val LONGEST_TITLE = 80
private const val LONGEST_ARGUMENT = 1_000

package threadgauge.contract.testkit.process

import java.io.File
import kotlinx.serialization.json.Json
import threadgauge.contract.client.Access

/**
 * A stack as a `stacks.yaml` describes it, so that the tests start what is shipped.
 *
 * @property model name in the enum
 * @property jar its path, relative to the folder of the file
 * @property paths beginnings of the paths that only the fuller edition serves
 * @property sends headers that its options require on every request
 * @property adds names, in lower case, of the headers that its options add to answers
 * @property login what lets a client in
 * @property variables values for the names in braces, as the bench takes them from its services
 */
class ShippedStack private constructor(
    val name: String,
    val model: String,
    val jar: String,
    val paths: List<String>,
    val sends: Map<String, String>,
    val adds: Set<String>,
    val login: Access.Login?,
    private val java: List<String>,
    private val arguments: List<String>,
    private val variables: Map<String, String>,
) {
    fun java(port: Int): List<String> = java.filled(port)

    fun arguments(port: Int): List<String> = arguments.filled(port)

    /** A name without a value becomes empty, as in the bench: no request needs it. */
    private fun List<String>.filled(port: Int): List<String> {
        val all = variables + ("port" to "$port")
        return map { word -> VARIABLE.replace(word) { all[it.groupValues[1]].orEmpty() } }
    }

    companion object {
        /**
         * Reads the stack [name] from [file]: its fuller edition where [isMore], with these [options]. This is no YAML
         * reader: each value must begin on a line of its own, and lists must be in brackets, as in all our files.
         */
        fun read(
            name: String,
            file: File = File("stacks.yaml"),
            isMore: Boolean = false,
            variables: Map<String, String> = emptyMap(),
            options: List<String> = emptyList(),
        ): ShippedStack {
            val description = Description(name, file)
            val changes = options.flatMap { changes(description.option(it)) }
            fun changed(what: String) = changes.filter { it.first == what }.map { it.second }
            fun more(key: String, isNeeded: Boolean = true) =
                if (isMore) list(description.more, key, isNeeded) else emptyList()
            return ShippedStack(
                name,
                description.value("model").uppercase().replace('-', '_'),
                if (isMore) jarOf(description.more).replace("{name}", name)
                else changed("jar").firstOrNull() ?: description.value("jar"),
                more("for"),
                options.flatMap { sends(description.option(it)) }.toMap(),
                options.flatMap { list(description.option(it), "adds", isNeeded = false) }
                    .mapTo(HashSet()) { it.lowercase() },
                options.firstNotNullOfOrNull { login(description.option(it)) },
                list(description.entry, "java", isNeeded = false) + more("java", isNeeded = false) + changed("java"),
                list(description.entry, "arguments") + more("arguments", isNeeded = false) + changed("argument"),
                variables,
            )
        }

        private fun jarOf(lines: List<String>) = lines.first { it.startsWith("jar:") }.substringAfter(':').trim()

        private fun list(lines: List<String>, key: String, isNeeded: Boolean = true): List<String> {
            val rest = lines.dropWhile { !it.startsWith("$key:") }
            check(rest.isNotEmpty() || !isNeeded) { "there are no $key in $lines" }
            val text = rest.take(rest.indexOfFirst { it.endsWith("]") } + 1).joinToString("\n").substringAfter(':')
            return if (rest.isEmpty()) emptyList()
            else Json.decodeFromString(PLAIN_PATH.replace(text) { "\"${it.value}\"" })
        }

        /** The changes of an option, each with its key: `argument`, `java` or `jar`. */
        private fun changes(option: List<String>): List<Pair<String, String>> =
            CHANGE.findAll(option.joinToString("\n"))
                .map { it.groupValues[1] to Json.decodeFromString<String>(it.groupValues[2]) }.toList()
                .also { check(it.isNotEmpty()) { "an option that changes nothing: $option" } }

        private fun sends(option: List<String>): List<Pair<String, String>> {
            val text = option.joinToString("\n").substringAfter("\nsends: {", "").substringBefore('}')
            return HEADER.findAll(text).map { it.groupValues[1] to it.groupValues[2] }.toList()
        }

        private fun login(option: List<String>): Access.Login? = LOGIN.find(option.joinToString("\n"))
            ?.let { Access.Login(it.groupValues[1], it.groupValues[2]) }

        private val LOGIN = Regex("""\nlogin: \{path: (\S+), form: "([^"]+)"}""")
        private val HEADER = Regex("""([\w-]+): "?([^",\n]+)""")
        private val CHANGE = Regex("""\b(argument|java|jar): ("(?:[^"\\]|\\.)*")""")
        private val PLAIN_PATH = Regex("(?<=[\\[ ])/[a-z/]+(?=[,\\]])")
        private val VARIABLE = Regex("\\{([A-Za-z0-9]+)}")
    }
}

/** The lines of a [file] that are about the stack [name], trimmed and without comments. */
private class Description(private val name: String, private val file: File) {
    private val lines = file.readLines().map { it.trim() }.filterNot { it.startsWith("#") }

    val entry = lines.dropWhile { it != "- name: $name" }.drop(1).takeWhile { !it.startsWith("- name:") }

    val more = lines.dropWhile { it != "more:" }.takeWhile { it != "options:" }

    fun value(key: String): String =
        entry.firstOrNull { it.startsWith("$key:") }?.substringAfter(':')?.substringBefore(" #")?.trim()
            ?: error("$file has no $key for the stack $name")

    /** Two stacks of a file may each have an option with this name. */
    fun option(option: String): List<String> = lines.indices.filter { lines[it] == "- name: $option" }
        .map { lines.drop(it + 1).takeWhile { line -> !line.startsWith("- name:") } }
        .firstOrNull { it.none { line -> line.startsWith("stacks:") } || "stacks: [$name]" in it }
        ?: error("$file has no option $option for the stack $name")
}

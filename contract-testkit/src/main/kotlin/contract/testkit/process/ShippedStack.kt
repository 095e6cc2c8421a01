package threadgauge.contract.testkit.process

import java.io.File
import kotlinx.serialization.json.Json
import threadgauge.contract.client.Access

/**
 * A stack as a `stacks.yaml` describes it: its [model] as the enum's name, the place of its [jar], and its arguments for Java and for
 * itself. [paths] begin what only its fuller edition serves. [sends] are headers that its options let every request carry, [adds] the
 * names, in lower case, of those that they put on answers, [login] what lets a client in. [places] are put in for the names in braces, as
 * the bench does with what its services give.
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
    private val places: Map<String, String>,
) {
    fun java(port: Int): List<String> = java.filled(port)

    fun arguments(port: Int): List<String> = arguments.filled(port)

    /** A name that is not among the places is left empty, as the bench leaves it: nothing that is asked needs it. */
    private fun List<String>.filled(port: Int): List<String> {
        val all = places + ("port" to "$port")
        return map { word -> PLACE.replace(word) { all[it.groupValues[1]].orEmpty() } }
    }

    companion object {
        /**
         * Reads the values that tests need, so that what is tested is what is shipped; of the fuller edition where [isMore], with
         * these [options]. Not a reader of YAML: each value begins on a line of its own, lists in brackets, as in all our files.
         */
        fun read(
            name: String,
            file: File = File("stacks.yaml"),
            isMore: Boolean = false,
            places: Map<String, String> = emptyMap(),
            options: List<String> = emptyList(),
        ): ShippedStack {
            val all = file.readLines().map { it.trim() }.filterNot { it.startsWith("#") }
            fun entry(name: String) = all.dropWhile { it != "- name: $name" }.drop(1).takeWhile { !it.startsWith("- name:") }
            val fuller = all.dropWhile { it != "more:" }.takeWhile { it != "options:" }
            fun more(key: String, isNeeded: Boolean = true) = if (isMore) list(fuller, key, isNeeded) else emptyList()
            fun value(key: String) = entry(name).firstOrNull { it.startsWith("$key:") }?.substringAfter(':')?.substringBefore(" #")?.trim()
                ?: error("$file has no $key for the stack $name")
            // Two stacks of a file may have an option by the same name, each its own.
            fun option(option: String) = all.indices.filter { all[it] == "- name: $option" }
                .map { all.drop(it + 1).takeWhile { line -> !line.startsWith("- name:") } }
                .firstOrNull { lines -> lines.none { it.startsWith("stacks:") } || "stacks: [$name]" in lines }
                ?: error("$file has no option $option for the stack $name")
            val changes = options.flatMap { changes(option(it)) }
            fun changed(what: String) = changes.filter { it.first == what }.map { it.second }
            return ShippedStack(
                name,
                value("model").uppercase().replace('-', '_'),
                if (isMore) jarOf(fuller).replace("{name}", name) else changed("jar").firstOrNull() ?: value("jar"),
                more("for"),
                options.flatMap { sends(option(it)) }.toMap(),
                options.flatMap { list(option(it), "adds", isNeeded = false) }.mapTo(HashSet()) { it.lowercase() },
                options.firstNotNullOfOrNull { login(option(it)) },
                list(entry(name), "java", isNeeded = false) + more("java", isNeeded = false) + changed("java"),
                list(entry(name), "arguments") + more("arguments", isNeeded = false) + changed("argument"),
                places,
            )
        }

        private fun jarOf(lines: List<String>) = lines.first { it.startsWith("jar:") }.substringAfter(':').trim()

        private fun list(lines: List<String>, key: String, isNeeded: Boolean = true): List<String> {
            val rest = lines.dropWhile { !it.startsWith("$key:") }
            check(rest.isNotEmpty() || !isNeeded) { "there are no $key in $lines" }
            val text = rest.take(rest.indexOfFirst { it.endsWith("]") } + 1).joinToString("\n").substringAfter(':')
            return if (rest.isEmpty()) emptyList() else Json.decodeFromString(PLAIN_PATH.replace(text) { "\"${it.value}\"" })
        }

        /** What an option adds, each with the word that says where. */
        private fun changes(option: List<String>): List<Pair<String, String>> = CHANGE.findAll(option.joinToString("\n"))
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
        private val PLACE = Regex("\\{([A-Za-z0-9]+)}")
    }
}

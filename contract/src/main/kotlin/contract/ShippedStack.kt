package threadgauge.contract

import kotlinx.serialization.json.Json
import java.io.File

/**
 * A stack as a `stacks.yaml` describes it: its [model] as the enum's name, and its [arguments]. [places] are put in for the names in
 * braces, as the bench does with what its services give.
 */
class ShippedStack private constructor(
    val name: String,
    val model: String,
    private val arguments: List<String>,
    /** For its Java. */
    val java: List<String>,
    private val places: Map<String, String>,
) {
    /** A name that is not among the places is left empty, as the bench leaves it: nothing that is asked needs it. */
    fun arguments(port: Int): List<String> {
        val all = places + ("port" to "$port")
        return arguments.map { word -> PLACE.replace(word) { all[it.groupValues[1]].orEmpty() } }
    }

    companion object {
        /**
         * Reads the two values that tests need, so that what is tested is what is shipped; of the fuller edition where [isMore], with
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
            val more = if (isMore) arguments(all.dropWhile { it != "more:" }) else emptyList()
            val model = entry(name).firstOrNull { it.startsWith("model:") } ?: error("$file has no model for the stack $name")
            val changes = options.flatMap { changes(entry(it)) }
            return ShippedStack(
                name,
                model.substringAfter(':').substringBefore(" #").trim().uppercase().replace('-', '_'),
                arguments(entry(name)) + more + changes.filter { it.first == "argument" }.map { it.second },
                changes.filter { it.first == "java" }.map { it.second },
                places,
            )
        }

        private fun arguments(lines: List<String>): List<String> {
            val list = lines.dropWhile { !it.startsWith("arguments:") }
            check(list.isNotEmpty()) { "there are no arguments in $lines" }
            val text = list.take(list.indexOfFirst { it.endsWith("]") } + 1).joinToString("\n")
            return Json.decodeFromString(text.substringAfter(':'))
        }

        /** What an option adds, each with the word that says where. */
        private fun changes(option: List<String>): List<Pair<String, String>> = CHANGE.findAll(option.joinToString("\n"))
            .map { it.groupValues[1] to Json.decodeFromString<String>(it.groupValues[2]) }.toList()
            .also { check(it.isNotEmpty()) { "there is no such option, or it changes nothing" } }

        private val CHANGE = Regex("""\b(argument|java): ("(?:[^"\\]|\\.)*")""")
        private val PLACE = Regex("\\{([a-z0-9]+)}")
    }
}

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
    fun arguments(port: Int): List<String> = arguments.map { word ->
        (places + ("port" to "$port")).entries.fold(word) { text, (name, value) -> text.replace("{$name}", value) }
    }

    companion object {
        /**
         * Reads the two values that tests need, so that what is tested is what is shipped; of the fuller edition where [isMore], with
         * these [options]. Not a reader of YAML: each value stands on a line of its own, lists and changes in brackets, as in all
         * our files.
         */
        fun read(
            name: String,
            file: File = File("stacks.yaml"),
            isMore: Boolean = false,
            places: Map<String, String> = emptyMap(),
            options: List<String> = emptyList(),
        ): ShippedStack {
            val all = file.readLines().map { it.trim() }
            val lines = all.dropWhile { it != "- name: $name" }.drop(1).takeWhile { !it.startsWith("- name:") }
            fun value(lines: List<String>, key: String) = lines.firstOrNull { it.startsWith("$key:") }?.substringAfter(':')?.trim()
                ?: error("$file has no $key for the stack $name")
            fun arguments(lines: List<String>) = Json.decodeFromString<List<String>>(value(lines, "arguments"))
            val changes = options.flatMap { option ->
                val its = all.dropWhile { it != "options:" }.dropWhile { it != "- name: $option" }.drop(1)
                    .takeWhile { !it.startsWith("- name:") }
                CHANGE.findAll(its.joinToString("\n")).map { it.groupValues[1] to it.groupValues[2] }.toList()
                    .ifEmpty { error("$file has no option $option with changes") }
            }
            fun changed(what: String) = changes.filter { it.first == what }.map { it.second }
            return ShippedStack(
                name,
                value(lines, "model").substringBefore(" #").trim().uppercase().replace('-', '_'),
                arguments(lines) + (if (isMore) arguments(all.dropWhile { it != "more:" }) else emptyList()) + changed("argument"),
                changed("java"),
                places,
            )
        }

        private val CHANGE = Regex("""\{(argument|java): "([^"]*)"}""")
    }
}

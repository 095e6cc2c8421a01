package threadgauge.contract

import kotlinx.serialization.json.Json
import java.io.File

/**
 * A stack as a `stacks.yaml` describes it: its [model] as the enum's name, the place of its [jar], and its arguments for Java and for
 * itself. [places] are put in for the names in braces, as the bench does with what its services give.
 */
class ShippedStack private constructor(
    val name: String,
    val model: String,
    val jar: String,
    private val java: List<String>,
    private val arguments: List<String>,
    private val places: Map<String, String>,
) {
    fun java(port: Int): List<String> = java.filled(port)

    fun arguments(port: Int): List<String> = arguments.filled(port)

    private fun List<String>.filled(port: Int) = map { word ->
        (places + ("port" to "$port")).entries.fold(word) { text, (name, value) -> text.replace("{$name}", value) }
    }

    companion object {
        /**
         * Reads the values that tests need, so that what is tested is what is shipped; of the fuller edition where [isMore]. Not a
         * reader of YAML: each value stands on a line of its own, lists in brackets, as in all our files.
         */
        fun read(
            name: String,
            file: File = File("stacks.yaml"),
            isMore: Boolean = false,
            places: Map<String, String> = emptyMap(),
        ): ShippedStack {
            val all = file.readLines().map { it.trim() }
            val lines = all.dropWhile { it != "- name: $name" }.drop(1).takeWhile { !it.startsWith("- name:") }
            fun found(lines: List<String>, key: String) = lines.firstOrNull { it.startsWith("$key:") }?.substringAfter(':')?.trim()
            fun value(lines: List<String>, key: String) = found(lines, key) ?: error("$file has no $key for the stack $name")
            fun arguments(lines: List<String>) = Json.decodeFromString<List<String>>(value(lines, "arguments"))
            return ShippedStack(
                name,
                value(lines, "model").substringBefore(" #").trim().uppercase().replace('-', '_'),
                value(lines, "jar"),
                found(lines, "java")?.let { Json.decodeFromString<List<String>>(it) }.orEmpty(),
                arguments(lines) + if (isMore) arguments(all.dropWhile { it != "more:" }) else emptyList(),
                places,
            )
        }
    }
}

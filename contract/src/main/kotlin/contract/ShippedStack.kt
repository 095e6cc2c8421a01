package threadgauge.contract

import kotlinx.serialization.json.Json
import java.io.File

/** A stack as the `stacks.yaml` of its module describes it: its [model] as the enum's name, and its [arguments]. */
class ShippedStack private constructor(val name: String, val model: String, private val arguments: List<String>) {
    fun arguments(port: Int): List<String> = arguments.map { it.replace("{port}", port.toString()) }

    companion object {
        /**
         * Reads the two values that tests need, so that what is tested is what is shipped. Not a reader of YAML: each
         * value stands on a line of its own, lists in brackets, as in all our files.
         */
        fun read(name: String, file: File = File("stacks.yaml")): ShippedStack {
            val lines = file.readLines().map { it.trim() }
                .dropWhile { it != "- name: $name" }.drop(1).takeWhile { !it.startsWith("- name:") }
            fun value(key: String) = lines.firstOrNull { it.startsWith("$key:") }?.substringAfter(':')?.trim()
                ?: error("$file has no $key for the stack $name")
            return ShippedStack(
                name,
                value("model").substringBefore(" #").trim().uppercase().replace('-', '_'),
                Json.decodeFromString<List<String>>(value("arguments")),
            )
        }
    }
}

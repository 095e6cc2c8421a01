package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/**
 * Which cores serve and which ones load. Empty lists mean that nothing is pinned: there is one core only, or the system
 * has no `taskset` (macOS).
 */
data class Cores(val target: List<Int>, val agent: List<Int>) {
    val pinned get() = target.isNotEmpty()

    companion object {
        /**
         * The split of this machine, made once: later the coordinator confines itself to the agent's cores, and would
         * then see no others.
         */
        val ofThisMachine: Cores by lazy { split() }

        /**
         * Splits the cores that this process may use: a third for the agent, at least one, and the rest for the target.
         */
        private fun split(): Cores {
            val usable = usable()
            if (usable.size < 2 || !hasTaskset()) return Cores(emptyList(), emptyList())
            val forAgent = maxOf(1, usable.size / 3)
            return Cores(usable.dropLast(forAgent), usable.takeLast(forAgent))
        }

        private fun hasTaskset() =
            System.getenv("PATH").orEmpty().split(':').any { Files.isExecutable(Path.of(it, "taskset")) }

        private fun usable(): List<Int> {
            val status = Path.of("/proc/self/status").takeIf { it.exists() } ?: return emptyList()
            val list = status.readText().lineSequence().firstOrNull { it.startsWith("Cpus_allowed_list:") }
                ?: return emptyList()
            return parseCoreList(list.substringAfter(':').trim())
        }
    }
}

/** The kernel's list format: `0-3,8` means 0, 1, 2, 3, 8. */
internal fun parseCoreList(text: String): List<Int> = text.split(',').flatMap {
    val ends = it.split('-').map(String::toInt)
    ends.first()..ends.last()
}

/** [command] so that it runs on [cores] only; unchanged where [cores] is empty. */
fun pinned(command: List<String>, cores: List<Int>): List<String> =
    if (cores.isEmpty()) command else listOf("taskset", "-c", cores.joinToString(",")) + command

/**
 * Moves one thread (or with [wholeProcess] every thread of a process) to [cores]. A thread that is already gone is no
 * error.
 */
fun moveToCores(id: Long, cores: List<Int>, wholeProcess: Boolean = false) {
    if (cores.isEmpty()) return
    val options = if (wholeProcess) "-acp" else "-cp"
    ProcessBuilder("taskset", options, cores.joinToString(","), id.toString())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor()
}

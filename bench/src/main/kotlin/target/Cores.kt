package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/**
 * The cores of the target and those of the load agent. Both lists are empty if nothing is pinned: on a machine with one
 * core, or without `taskset` (macOS).
 */
data class Cores(val target: List<Int>, val agent: List<Int>) {
    val pinned get() = target.isNotEmpty()

    companion object {
        /**
         * The split of this machine. Made once, because the coordinator later moves to the agent's cores and would then
         * see no others.
         */
        val ofThisMachine: Cores by lazy { split() }

        /** A third of the usable cores for the agent, at least one, and the rest for the target. */
        private fun split(): Cores {
            val usable = usable()
            if (usable.size < 2 || !hasTaskset()) return Cores(emptyList(), emptyList())
            val forAgent = maxOf(1, usable.size / 3)
            return Cores(usable.dropLast(forAgent), usable.takeLast(forAgent))
        }

        private fun hasTaskset() =
            System.getenv("PATH").orEmpty().split(':').any { Files.isExecutable(Path.of(it, "taskset")) }

        /**
         * The cores that this process may use (`Cpus_allowed_list` in proc_pid_status(5)); empty where there is no
         * `/proc`.
         */
        private fun usable(): List<Int> {
            val status = Path.of("/proc/self/status").takeIf { it.exists() } ?: return emptyList()
            val list = status.readText().lineSequence().firstOrNull { it.startsWith("Cpus_allowed_list:") }
                ?: return emptyList()
            return parseCoreList(list.substringAfter(':').trim())
        }
    }
}

/** Reads the kernel's list format: `0-3,8` means 0, 1, 2, 3, 8. Throws [NumberFormatException] on anything else. */
internal fun parseCoreList(text: String): List<Int> = text.split(',').flatMap {
    val ends = it.split('-').map(String::toInt)
    ends.first()..ends.last()
}

/** [command] under `taskset` on [cores]; unchanged if [cores] is empty. */
fun pinned(command: List<String>, cores: List<Int>): List<String> =
    if (cores.isEmpty()) command else listOf("taskset", "-c", cores.joinToString(",")) + command

/**
 * Pins one thread, or with [wholeProcess] every thread of a process, to [cores], and waits until that is done. Does
 * nothing if [cores] is empty. A thread that has ended is not an error.
 */
fun moveToCores(id: Long, cores: List<Int>, wholeProcess: Boolean = false) {
    if (cores.isEmpty()) return
    val options = if (wholeProcess) "-acp" else "-cp"
    ProcessBuilder("taskset", options, cores.joinToString(","), id.toString())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor()
}

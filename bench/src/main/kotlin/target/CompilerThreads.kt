package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * The JIT compiler threads of the HotSpot JVM [pid]. On a pinned core they compete with the load that makes the code
 * hot. On other cores they reach the same steady speed several times sooner (`benchmarks/warm-up`). Before anything is
 * measured they return to the target's cores, [home].
 */
class CompilerThreads(private val pid: Long, private val home: List<Int>, private val everywhere: List<Int>) {
    /**
     * Lets the compiler run on every core. Must be repeated now and then, because the JVM starts compiler threads as
     * needed.
     */
    fun free() = move(everywhere)

    /** Pins the compiler threads to [home] again. */
    fun bringHome() = move(home)

    private fun move(cores: List<Int>) {
        if (home.isEmpty()) return
        compilerThreadIds().forEach { moveToCores(it, cores) }
    }

    private fun compilerThreadIds(): List<Long> {
        val tasks = Path.of("/proc/$pid/task").takeIf { Files.isDirectory(it) } ?: return emptyList()
        return runCatching { tasks.listDirectoryEntries() }.getOrDefault(emptyList())
            .filter { task -> runCatching { task.resolve("comm").readText() }.getOrDefault("").matches(COMPILER) }
            .map { it.name.toLong() }
    }
}

/** The kernel keeps fifteen characters of a thread's name: "C2 CompilerThread0" becomes "C2 CompilerThre". */
private val COMPILER = Regex("C[12] CompilerThre\\w*\\s*")

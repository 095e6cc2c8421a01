package threadgauge.probe

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import oshi.SystemInfo

/** Cumulative counters and the state of a process at one moment, from the operating system. */
data class ProcessReading(
    val atNanos: Long,
    /** In ticks of ten milliseconds on Linux, as [cpuSystemMillis]. */
    val cpuUserMillis: Double,
    val cpuSystemMillis: Double,
    val rssBytes: Long,
    val threads: Int,
    /** User and system together, exactly where the system counts it so. */
    val cpuMillis: Double = cpuUserMillis + cpuSystemMillis,
) {
    /** What was used since [earlier]: the exact sum, divided as the ticks are. */
    fun spentSince(earlier: ProcessReading): CpuSpent {
        val all = maxOf(0.0, cpuMillis - earlier.cpuMillis)
        val user = cpuUserMillis - earlier.cpuUserMillis
        val ticks = user + cpuSystemMillis - earlier.cpuSystemMillis
        // Without a tick, as in all the time before.
        val share = if (ticks > 0) user / ticks else cpuUserMillis / maxOf(1.0, cpuUserMillis + cpuSystemMillis)
        return CpuSpent(all * share, all * (1 - share))
    }
}

/** CPU time between two readings, in milliseconds; neither is negative. */
class CpuSpent(val userMillis: Double, val systemMillis: Double)

/** Context switches of all running threads of a process so far. */
data class Switches(val voluntary: Long, val involuntary: Long)

/** Reads one process from outside, without its help. Safe for any thread. */
interface ProcessProbe {
    /** Null after the end of the process. Cheap enough for every second. */
    fun read(): ProcessReading?

    /** Reads every thread; null where the system does not report it. Switches of ended threads are lost. */
    fun switches(): Switches?

    /** Number of open files and sockets; null where the system does not report it. */
    fun openFiles(): Long?

    /** Limit of open files and sockets; null where the system does not report it, or sets none. */
    fun openFilesLimit(): Long?

    companion object {
        fun of(pid: Long): ProcessProbe =
            if (Files.isDirectory(Path.of("/proc/self/task"))) ProcFiles(pid) else OshiProbe(pid)
    }
}

/** Linux. CPU time is exact, its parts come in ticks of ten milliseconds. */
private class ProcFiles(private val pid: Long) : ProcessProbe {
    private val folder = Path.of("/proc/$pid")

    override fun read(): ProcessReading? {
        val stat = runCatching { folder.resolve("stat").readText() }.getOrNull() ?: return null
        // The name in brackets may contain blanks. After it comes field 3 of proc_pid_stat(5).
        val fields = stat.substring(stat.lastIndexOf(')') + 2).split(' ')
        fun field(number: Int) = fields[number - 3].toLong()
        val user = field(14) * MILLIS_PER_TICK
        val system = field(15) * MILLIS_PER_TICK
        return ProcessReading(
            atNanos = System.nanoTime(),
            cpuUserMillis = user,
            cpuSystemMillis = system,
            rssBytes = field(24) * PAGE_BYTES,
            threads = field(20).toInt(),
            cpuMillis = ProcessClock.nanos(pid)?.let { it / 1e6 } ?: (user + system),
        )
    }

    override fun switches(): Switches? {
        val tasks = runCatching { folder.resolve("task").listDirectoryEntries() }.getOrNull() ?: return null
        var voluntary = 0L
        var involuntary = 0L
        for (task in tasks) {
            val status = runCatching { task.resolve("status").readText() }.getOrNull() ?: continue
            voluntary += valueOf(status, "\nvoluntary_ctxt_switches:")
            involuntary += valueOf(status, "\nnonvoluntary_ctxt_switches:")
        }
        return Switches(voluntary, involuntary)
    }

    /**
     * Since Linux 6.2 the size of the folder is the number of files (proc_pid_fd(5)). Before, it is 0, and the files
     * are counted.
     */
    override fun openFiles(): Long? = runCatching {
        val files = folder.resolve("fd")
        Files.size(files).takeIf { it > 0 } ?: Files.list(files).use { it.count() }
    }.getOrNull()

    override fun openFilesLimit(): Long? =
        fileLimitsIn(runCatching { folder.resolve("limits").readText() }.getOrNull())?.soft

    private fun valueOf(status: String, key: String): Long {
        val at = status.indexOf(key)
        return if (at < 0) 0 else status.substring(at + key.length).lineSequence().first().trim().toLong()
    }
}

/** Other systems, through OSHI. */
private class OshiProbe(private val pid: Long) : ProcessProbe {
    private val system = SystemInfo().operatingSystem

    override fun read(): ProcessReading? = system.getProcess(pid.toInt())?.let {
        ProcessReading(
            System.nanoTime(), it.userTime.toDouble(), it.kernelTime.toDouble(), it.residentMemory, it.threadCount,
        )
    }

    override fun switches(): Switches? = null

    override fun openFiles(): Long? = null

    override fun openFilesLimit(): Long? = null
}

/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux that runs a JVM. */
internal const val MILLIS_PER_TICK = 10.0

/** Read once: 4 KiB on most machines, 16 or 64 KiB on some ARM machines. */
private val PAGE_BYTES: Long by lazy {
    val asked = runCatching {
        ProcessBuilder("getconf", "PAGESIZE").start().inputReader().use { it.readLine().trim().toLong() }
    }
    asked.getOrDefault(4_096)
}

package threadgauge.probe

import java.io.File
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout
import java.lang.invoke.MethodHandle

/**
 * CPU time of a process on Linux: user and system, over all its threads, ended ones too, in nanoseconds. The kernel
 * counts it at every switch, while `/proc/<pid>/stat` shows it in ticks of ten milliseconds, which is a hundredth of a
 * slice. Safe for any thread; a reading takes some microseconds.
 */
internal object ProcessClock {
    private val clockGettime: MethodHandle? = runCatching {
        check(File("/proc/self/stat").exists())
        val linker = Linker.nativeLinker()
        linker.downcallHandle(
            linker.defaultLookup().find("clock_gettime").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
        )
    }.getOrNull()

    /** Null after the end of process [pid], on other systems, and where native calls are not allowed. */
    fun nanos(pid: Long): Long? {
        val call = clockGettime ?: return null
        if (pid !in 1..MAX_PID) return null
        Arena.ofConfined().use { arena ->
            val time = arena.allocate(ValueLayout.JAVA_LONG, 2)
            val code = call.invoke(clockOf(pid.toInt()), time) as Int
            if (code != 0) return null
            val seconds = time.getAtIndex(ValueLayout.JAVA_LONG, 0)
            return seconds * NANOS_PER_SECOND + time.getAtIndex(ValueLayout.JAVA_LONG, 1)
        }
    }

    /** `MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)` of Linux's posix-timers.h, which clock_getcpuclockid(3) returns. */
    private fun clockOf(pid: Int): Int = (pid.inv() shl 3) or 2

    /** `PID_MAX_LIMIT` of Linux. */
    private const val MAX_PID = 1L shl 22
    private const val NANOS_PER_SECOND = 1_000_000_000L
}

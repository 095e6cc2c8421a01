package threadgauge.probe

import com.sun.management.OperatingSystemMXBean
import java.lang.management.ManagementFactory
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import oshi.SystemInfo
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.NetworkSettings

/**
 * Facts about the machine that may affect a result. On Linux no library is needed, which could fail. [read] returns the
 * text of a file, null where there is none.
 */
class MachineProbe(private val read: (String) -> String? = ::textOf) {
    private val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean

    val cpu: String
        get() = lineOf(read("/proc/cpuinfo"), "model name")?.substringAfter(':')?.trim()
            ?: runCatching { SystemInfo().hardware.processor.processorIdentifier.name.trim() }.getOrDefault("unknown")
    val cores: Int get() = Runtime.getRuntime().availableProcessors()
    val memoryBytes: Long get() = system.totalMemorySize
    val operatingSystem: String
        get() = lineOf(read("/etc/os-release"), "PRETTY_NAME")?.substringAfter('=')?.trim('"')
            ?: System.getProperty("os.name")
    val kernel: String get() = System.getProperty("os.name") + " " + System.getProperty("os.version")
    val java: String get() = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")

    /** Limit of open files and sockets per process; null where the system does not report it. */
    val fileLimit: Long? get() = fileLimits?.soft

    /**
     * The limits of this process, which its children inherit. HotSpot raises the soft limit to the hard one at its
     * start, so both are equal here, whatever the shell reports.
     */
    val fileLimits: FileLimits? get() = fileLimitsIn(read("/proc/self/limits"))

    /**
     * In a container the file is that of the host, so the lower limit of the container, which Java reports, takes
     * precedence.
     */
    val memoryAvailableBytes: Long? get() = memoryIn(read("/proc/meminfo"), "MemAvailable")?.coerceAtMost(memoryBytes)
    val swapUsedBytes: Long? get() = swapUsedIn(read("/proc/meminfo"))
    val clockSource: String? get() = wordIn(read("/sys/devices/system/clocksource/clocksource0/current_clocksource"))

    /** CPU quota of the control group, in cores; null without a quota. */
    val quotaCores: Double? get() = quotaCores(read)

    val network: NetworkSettings
        get() = NetworkSettings(
            ports = portRangeIn(read("/proc/sys/net/ipv4/ip_local_port_range")),
            maxAcceptQueue = numberIn(read("/proc/sys/net/core/somaxconn")),
            maxHalfOpen = numberIn(read("/proc/sys/net/ipv4/tcp_max_syn_backlog")),
            reuseWaiting = numberIn(read("/proc/sys/net/ipv4/tcp_tw_reuse")),
        )

    /** Current speed of the slowest of [cores], as a share of its maximum; null where the system does not report it. */
    fun frequency(cores: List<Int>): CpuFrequency? = cores.mapNotNull { core ->
        val folder = "/sys/devices/system/cpu/cpu$core/cpufreq"
        frequencyIn(
            read("$folder/scaling_governor"), read("$folder/scaling_cur_freq"), read("$folder/cpuinfo_max_freq"),
        )
    }.minByOrNull { it.share ?: Double.MAX_VALUE }

    /** Kernel settings by name, as far as they exist. */
    fun settings(): Map<String, String> = SETTINGS.mapNotNull { (name, path) ->
        read(path)?.trim()?.replace('\t', ' ')?.let { name to it }
    }.toMap() + ("load average before the run" to loadAverage())

    /** Over one, five and fifteen minutes: the first three of the file's five fields. */
    private fun loadAverage() = read("/proc/loadavg")?.split(' ')?.take(3)?.joinToString(" ") ?: "unknown"

    /** CPU time of all cores so far; null where the system does not report it. */
    fun ticks(): CpuTicks? = ticksIn(read("/proc/stat"))

    /** CPU time of [cores] so far, all together; null where the system does not report it. */
    fun ticks(cores: List<Int>): CpuTicks? = ticksIn(read("/proc/stat"), cores)

    /** Pages swapped in and out since the machine started; null where the system does not report them. */
    val swapped: Swapped? get() = swappedIn(read("/proc/vmstat"))

    /** Share of the CPU time in use during the next [millis], 0 to 1; null where the system does not report it. */
    fun busyShare(millis: Long): Double? {
        val before = ticks() ?: return null
        Thread.sleep(millis)
        return ticks()?.busySince(before)
    }
}

/** Kernel files are small, and may be missing, inaccessible, or unreadable. */
private fun textOf(path: String): String? =
    Path.of(path).takeIf { it.exists() }?.let { file -> runCatching { file.readText() }.getOrNull() }

/** Ticks of all cores since the machine started. */
data class CpuTicks(val all: Long, val idle: Long, val stolen: Long) {
    /** Share of the CPU time that the hypervisor took since [earlier], 0 to 1. */
    fun stolenSince(earlier: CpuTicks) = (stolen - earlier.stolen).toDouble() / maxOf(1, all - earlier.all)

    /**
     * Share of the CPU time since [earlier] that was neither idle nor stolen, minus [ownMillis] of CPU time: that of
     * other programs. The kernel counts both in different ways, so a slightly negative difference becomes 0.
     */
    fun otherSince(earlier: CpuTicks, ownMillis: Double): Double {
        val allTicks = maxOf(1, all - earlier.all)
        val unused = (idle - earlier.idle) + (stolen - earlier.stolen)
        return ((all - earlier.all - unused - ownMillis / MILLIS_PER_TICK) / allTicks).coerceIn(0.0, 1.0)
    }

    /**
     * Share of [millis], the time of these cores since [earlier] by the clock, that was neither idle nor [ownMillis] of
     * the target, 0 to 1: that of others, of the kernel and of the hypervisor. The ticks of what is busy are not used:
     * the kernel samples them, with an error of hundredths of a second.
     */
    fun takenSince(earlier: CpuTicks, ownMillis: Double, millis: Double): Double {
        if (millis <= 0) return 0.0
        return (1 - ((idle - earlier.idle) * MILLIS_PER_TICK + ownMillis) / millis).coerceIn(0.0, 1.0)
    }

    /** Share of the CPU time since [earlier] that was not idle, 0 to 1. */
    fun busySince(earlier: CpuTicks) = 1 - (idle - earlier.idle).toDouble() / maxOf(1, all - earlier.all)
}

/** Pages of memory since the machine started, read from swap and written to it. */
data class Swapped(val inPages: Long, val outPages: Long)

private val SETTINGS = mapOf(
    "net.core.somaxconn" to "/proc/sys/net/core/somaxconn",
    "net.ipv4.ip_local_port_range" to "/proc/sys/net/ipv4/ip_local_port_range",
    "net.ipv4.tcp_tw_reuse" to "/proc/sys/net/ipv4/tcp_tw_reuse",
    "net.ipv4.tcp_max_syn_backlog" to "/proc/sys/net/ipv4/tcp_max_syn_backlog",
    "vm.swappiness" to "/proc/sys/vm/swappiness",
    "frequency governor" to "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "transparent huge pages" to "/sys/kernel/mm/transparent_hugepage/enabled",
)

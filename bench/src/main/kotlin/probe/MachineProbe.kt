package threadgauge.probe

import com.sun.management.OperatingSystemMXBean
import oshi.SystemInfo
import java.lang.management.ManagementFactory
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/** Facts about the machine that may decide a result. Reading them needs no library on Linux, so that it cannot fail there. */
class MachineProbe {
    private val system = ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean

    val cpu: String
        get() = lineOf("/proc/cpuinfo", "model name")?.substringAfter(':')?.trim()
            ?: runCatching { SystemInfo().hardware.processor.processorIdentifier.name.trim() }.getOrDefault("unknown")
    val cores: Int get() = Runtime.getRuntime().availableProcessors()
    val memoryBytes: Long get() = system.totalMemorySize
    val operatingSystem: String
        get() = lineOf("/etc/os-release", "PRETTY_NAME")?.substringAfter('=')?.trim('"') ?: System.getProperty("os.name")
    val kernel: String get() = System.getProperty("os.name") + " " + System.getProperty("os.version")
    val java: String get() = System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")

    /** Most files and sockets that one process may have open; null where the system does not tell. */
    val fileLimit: Long?
        get() = lineOf("/proc/self/limits", "Max open files")?.split(Regex("\\s{2,}"))?.getOrNull(2)?.toLongOrNull()

    /** Kernel settings by name, those that exist here. */
    fun settings(): Map<String, String> = SETTINGS.mapNotNull { (name, path) ->
        text(path)?.trim()?.replace('\t', ' ')?.let { name to it }
    }.toMap() + ("load average before the run" to loadAverage())

    /** Over one, five and fifteen minutes: the first three of the file's five fields. */
    private fun loadAverage() = text("/proc/loadavg")?.split(' ')?.take(3)?.joinToString(" ") ?: "unknown"

    /** Time of all cores so far; null where the system does not count it. */
    fun ticks(): CpuTicks? {
        val fields = lineOf("/proc/stat", "cpu ")?.trim()?.split(Regex("\\s+"))?.drop(1)?.map { it.toLong() } ?: return null
        // proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user already.
        return if (fields.size < 8) null else CpuTicks(all = fields.take(8).sum(), idle = fields[3] + fields[4], stolen = fields[7])
    }

    /** Share of the machine that is at work for [millis] from now on, 0 to 1; null where the system does not count. */
    fun busyShare(millis: Long): Double? {
        val before = ticks() ?: return null
        Thread.sleep(millis)
        return ticks()?.busySince(before)
    }

    private fun lineOf(path: String, start: String) = text(path)?.lineSequence()?.firstOrNull { it.startsWith(start) }

    private fun text(path: String) = Path.of(path).takeIf { it.exists() }?.let { file -> runCatching { file.readText() }.getOrNull() }
}

/** Ticks of all cores since the machine started. */
data class CpuTicks(val all: Long, val idle: Long, val stolen: Long) {
    /** Share of the machine's time that the hypervisor took away since [earlier], 0 to 1. */
    fun stolenSince(earlier: CpuTicks) = (stolen - earlier.stolen).toDouble() / maxOf(1, all - earlier.all)

    /** Share of the machine's time in which it was not idle since [earlier], 0 to 1. */
    fun busySince(earlier: CpuTicks) = 1 - (idle - earlier.idle).toDouble() / maxOf(1, all - earlier.all)
}

private val SETTINGS = mapOf(
    "net.core.somaxconn" to "/proc/sys/net/core/somaxconn",
    "net.ipv4.ip_local_port_range" to "/proc/sys/net/ipv4/ip_local_port_range",
    "net.ipv4.tcp_tw_reuse" to "/proc/sys/net/ipv4/tcp_tw_reuse",
    "net.ipv4.tcp_max_syn_backlog" to "/proc/sys/net/ipv4/tcp_max_syn_backlog",
    "vm.swappiness" to "/proc/sys/vm/swappiness",
    "frequency governor" to "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "transparent huge pages" to "/sys/kernel/mm/transparent_hugepage/enabled",
)

package threadgauge.probe

import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.PortRange

/*
 * Parsers of kernel files. Each takes the text of a file, or null where there is none, and returns null for missing or
 * unexpected text, because it is not an error if a machine does not report something.
 */

/** `/proc/self/limits`. */
internal fun fileLimitsIn(limits: String?): FileLimits? {
    val values = lineOf(limits, "Max open files")?.trim()?.split(BLANKS)?.takeLast(3) ?: return null
    if (values.size < 3) return null
    val (soft, hard) = values.take(2).map { it.toLongOrNull() ?: if (it == "unlimited") null else return null }
    return FileLimits(soft, hard)
}

/** `/proc/sys/net/ipv4/ip_local_port_range`: two numbers. */
internal fun portRangeIn(range: String?): PortRange? {
    val ends = range?.trim()?.split(BLANKS)?.map { it.toIntOrNull() ?: return null } ?: return null
    return if (ends.size == 2 && ends[0] in 1..ends[1] && ends[1] <= 65_535) PortRange(ends[0], ends[1]) else null
}

/** A file that holds one number which cannot be negative. */
internal fun numberIn(text: String?): Long? = text?.trim()?.toLongOrNull()?.takeIf { it >= 0 }

/** A file that holds one word. */
internal fun wordIn(text: String?): String? = text?.trim()?.takeIf { WORD.matches(it) }

/** `/proc/meminfo`, in bytes: a value by its name, such as `MemAvailable`. */
internal fun memoryIn(meminfo: String?, name: String): Long? =
    lineOf(meminfo, "$name:")?.substringAfter(':')?.trim()?.removeSuffix("kB")?.trim()?.toLongOrNull()?.times(1_024)

/** `/proc/meminfo`, in bytes: what lies in swap now. */
internal fun swapUsedIn(meminfo: String?): Long? {
    val all = memoryIn(meminfo, "SwapTotal") ?: return null
    return memoryIn(meminfo, "SwapFree")?.let { maxOf(0, all - it) }
}

/** `/proc/vmstat`: pages read from swap and written to it so far. */
internal fun swappedIn(vmstat: String?): Swapped? {
    val pagesIn = numberIn(lineOf(vmstat, "pswpin ")?.substringAfter(' ')) ?: return null
    return numberIn(lineOf(vmstat, "pswpout ")?.substringAfter(' '))?.let { Swapped(pagesIn, it) }
}

/** `/proc/stat`: the time of all cores so far. */
internal fun ticksIn(stat: String?): CpuTicks? = ticksOf(stat, "cpu ")

/** The same of [cores], all together; null where one of them is not there. */
internal fun ticksIn(stat: String?, cores: List<Int>): CpuTicks? {
    val each = cores.map { ticksOf(stat, "cpu$it ") ?: return null }
    if (each.isEmpty()) return null
    return CpuTicks(each.sumOf { it.all }, each.sumOf { it.idle }, each.sumOf { it.stolen })
}

private fun ticksOf(stat: String?, start: String): CpuTicks? {
    val fields =
        lineOf(stat, start)?.trim()?.split(BLANKS)?.drop(1)?.map { it.toLongOrNull() ?: return null } ?: return null
    // proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user already.
    return if (fields.size < 8) {
        null
    } else {
        CpuTicks(all = fields.take(8).sum(), idle = fields[3] + fields[4], stolen = fields[7])
    }
}

/** One core's `scaling_governor`, `scaling_cur_freq` and `cpuinfo_max_freq`, the last two in kilohertz. */
internal fun frequencyIn(governor: String?, current: String?, most: String?): CpuFrequency? {
    val frequency = CpuFrequency(wordIn(governor), megahertz(current), megahertz(most))
    return frequency.takeIf { it.governor != null || it.megahertz != null }
}

private fun megahertz(kilohertz: String?) = numberIn(kilohertz)?.takeIf { it > 0 }?.div(1e3)

internal fun lineOf(text: String?, start: String): String? = text?.lineSequence()?.firstOrNull { it.startsWith(start) }

private val BLANKS = Regex("\\s+")
private val WORD = Regex("[\\w.-]{1,64}")

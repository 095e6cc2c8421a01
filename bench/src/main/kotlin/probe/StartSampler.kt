package threadgauge.probe

import kotlin.concurrent.thread

/** What a process took from the processor while it started. */
data class StartCpu(
    /** Processor time, in milliseconds. */
    val millis: Double,
    /** The most in any half second, in cores: 1 is all of one core. Null for a start that was shorter. */
    val peakCores: Double?,
)

/**
 * Reads a process that starts, twenty times in a second, on a thread of its own. A tick of the system is ten
 * milliseconds, so the peak is told to 2 % of a core, and may come out that much above what there is.
 */
class StartSampler(private val probe: ProcessProbe) {
    /** Written by the sampling thread alone, and read after it has ended. */
    private val readings = ArrayList<ProcessReading>()

    @Volatile
    private var isOver = false
    private val sampling = thread(name = "start-sampler", isDaemon = true) {
        while (!isOver && take()) Thread.sleep(EVERY_MILLIS)
        take()
    }

    /** Null where the process could not be read. */
    fun stop(): StartCpu? {
        isOver = true
        sampling.join(MAX_WAIT_MILLIS)
        return readings.lastOrNull()?.let { StartCpu(it.cpuMillis, peakCores(readings)) }
    }

    private fun take(): Boolean = probe.read()?.let { readings += it } != null

    private companion object {
        const val EVERY_MILLIS = 50L
        const val MAX_WAIT_MILLIS = 2_000L
    }
}

/** The most of [readings] in any half second, in cores. */
internal fun peakCores(readings: List<ProcessReading>): Double? {
    var first = 0
    var most: Double? = null
    for (last in readings) {
        // The shortest stretch of at least half a second that ends here.
        while (first + 1 < readings.size && last.atNanos - readings[first + 1].atNanos >= HALF_A_SECOND_NANOS) first++
        val nanos = last.atNanos - readings[first].atNanos
        if (nanos < HALF_A_SECOND_NANOS) continue
        most = maxOf(most ?: 0.0, (last.cpuMillis - readings[first].cpuMillis) / (nanos / 1e6))
    }
    return most
}

private val ProcessReading.cpuMillis get() = cpuUserMillis + cpuSystemMillis
private const val HALF_A_SECOND_NANOS = 500_000_000L

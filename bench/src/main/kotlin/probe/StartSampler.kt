package threadgauge.probe

import kotlin.concurrent.thread

/** CPU costs of the start of a process. */
data class StartCpu(
    /** CPU time, in milliseconds. */
    val millis: Double,
    /** Peak over half a second, in cores: 1 is all of one core. Null for a shorter start. */
    val peakCores: Double?,
)

/**
 * Reads a starting process twenty times per second, on a thread of its own. A tick of the system is 10 ms, so the peak
 * has an accuracy of 2 % of a core, and may exceed the available cores by that much.
 */
class StartSampler(private val probe: ProcessProbe) {
    /** Written only by the sampling thread, and read after its end. */
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

/** The peak of [readings] over half a second, in cores. */
internal fun peakCores(readings: List<ProcessReading>): Double? {
    var first = 0
    var most: Double? = null
    for (last in readings) {
        // The shortest span of at least half a second that ends here.
        while (first + 1 < readings.size && last.atNanos - readings[first + 1].atNanos >= HALF_A_SECOND_NANOS) first++
        val nanos = last.atNanos - readings[first].atNanos
        if (nanos < HALF_A_SECOND_NANOS) continue
        most = maxOf(most ?: 0.0, (last.cpuMillis - readings[first].cpuMillis) / (nanos / 1e6))
    }
    return most
}

private const val HALF_A_SECOND_NANOS = 500_000_000L

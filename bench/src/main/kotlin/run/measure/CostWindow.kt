package threadgauge.run.measure

import threadgauge.model.Cost
import threadgauge.model.JvmState
import threadgauge.model.ProcessSecond
import threadgauge.probe.CpuTicks
import threadgauge.probe.JvmProbe
import threadgauge.probe.JvmReading
import threadgauge.probe.MachineProbe
import threadgauge.probe.ProcessProbe
import threadgauge.probe.ProcessReading
import threadgauge.probe.ProcessSampler
import threadgauge.probe.Switches

/**
 * Measures what the target uses during one load: counters before and after it, and a reading every second. Used once;
 * belongs to the run's thread.
 */
internal class CostWindow(
    private val process: ProcessProbe?,
    private val jvm: JvmProbe?,
    private val machine: MachineProbe,
) {
    private var sampler: ProcessSampler? = null
    private var switches: Switches? = null
    private var before: JvmReading? = null
    private var ticks: CpuTicks? = null

    /** `System.nanoTime` of the first intended request, once the window is open. */
    var startNanos = 0L
        private set

    /**
     * To be called between "the connections are open" and the first request. [windowNanos] is the length of the load, 0
     * if unknown.
     */
    fun open(startNanos: Long, windowNanos: Long) {
        this.startNanos = startNanos
        sampler = process?.let { ProcessSampler(it, startNanos, windowNanos) }
        switches = process?.switches()
        before = jvm?.read()
        ticks = machine.ticks()
    }

    /** Returns the cost, and the process second by second, which is empty if it cannot be observed. */
    fun close(): Pair<Cost, List<ProcessSecond>> {
        check(startNanos != 0L) { "the agent ended a load that it had not started" }
        val series = sampler?.stop()
        return cost(series?.readings.orEmpty()) to series?.seconds().orEmpty()
    }

    private fun cost(readings: List<ProcessReading>): Cost {
        val first = readings.firstOrNull()
        val last = readings.lastOrNull()
        val spent = if (first == null || last == null) null else last.spentSince(first)
        val now = jvm?.read()
        val switchesNow = process?.switches()
        return Cost(
            windowMillis = if (first == null || last == null) 0.0 else (last.atNanos - first.atNanos) / 1e6,
            cpuUserMillis = spent?.userMillis,
            cpuSystemMillis = spent?.systemMillis,
            rssBytesMax = readings.maxOfOrNull { it.rssBytes },
            threadsMax = readings.maxOfOrNull { it.threads },
            voluntarySwitches = switches?.let { b -> switchesNow?.let { maxOf(0, it.voluntary - b.voluntary) } },
            involuntarySwitches = switches?.let { b -> switchesNow?.let { maxOf(0, it.involuntary - b.involuntary) } },
            jvm = before?.let { b -> now?.since(b) },
            jvmState = now?.let { reading -> process?.let { stateOf(reading, it) } },
            steal = ticks?.let { b -> machine.ticks()?.stolenSince(b) },
        )
    }
}

/** State of the JVM; its resident memory is 0 if the process cannot be read. */
internal fun stateOf(reading: JvmReading, process: ProcessProbe) = JvmState(
    rssBytes = process.read()?.rssBytes ?: 0,
    heapUsedBytes = reading.heapUsedBytes,
    codeCacheBytes = reading.codeCacheBytes,
    loadedClasses = reading.loadedClasses,
    platformThreads = reading.platformThreads,
)

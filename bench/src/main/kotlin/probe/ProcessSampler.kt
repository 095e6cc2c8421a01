package threadgauge.probe

import kotlin.concurrent.thread
import threadgauge.model.ProcessSecond

/**
 * Reads a process at [startNanos] and once a second from then on, on a thread of its own. The last reading is at the
 * end of the window of [windowNanos], or in [stop] where that is 0: the length is then not known before.
 */
class ProcessSampler(private val probe: ProcessProbe, private val startNanos: Long, private val windowNanos: Long) {
    /** Written by the sampling thread alone, and read after it has ended. */
    private val readings = ArrayList<ProcessReading>()

    @Volatile
    private var stopping = false
    private val sampling = thread(name = "process-sampler", isDaemon = true) { sample() }

    /** Waits for the last reading. Call it when the load is over. */
    fun stop(): ProcessSeries {
        if (windowNanos == 0L) stopping = true
        sampling.interrupt()
        sampling.join(MAX_WAIT_MILLIS)
        return ProcessSeries(startNanos, readings)
    }

    private fun sample() {
        val endNanos = if (windowNanos > 0) startNanos + windowNanos else Long.MAX_VALUE
        var dueNanos = startNanos
        while (true) {
            sleepUntil(dueNanos)
            if (!take() || stopping || dueNanos == endNanos) return
            dueNanos = minOf(dueNanos + 1_000_000_000, endNanos)
        }
    }

    private fun take(): Boolean = probe.read()?.let { readings += it } != null

    /** An interrupt ends the wait only where [stop] decides the end. */
    private fun sleepUntil(nanos: Long) {
        while (!stopping) {
            val wait = nanos - System.nanoTime()
            if (wait <= 0) return
            try {
                Thread.sleep(wait / 1_000_000, (wait % 1_000_000).toInt())
            } catch (_: InterruptedException) {
                continue
            }
        }
    }
}

/** Agent and coordinator share a clock, so the window is over when the agent says so; this is for a broken agent. */
private const val MAX_WAIT_MILLIS = 2_000L

/** Readings of one window. CPU is the difference of two readings divided by the time that really lay between them. */
class ProcessSeries(private val startNanos: Long, val readings: List<ProcessReading>) {
    /**
     * One entry per pair of readings that lie at least a tenth of a second apart: shorter ones drown in the tick of ten
     * ms.
     */
    fun seconds(): List<ProcessSecond> =
        readings.zipWithNext().filter { (a, b) -> b.atNanos - a.atNanos > 100_000_000 }.map { (a, b) ->
            val millis = (b.atNanos - a.atNanos) / 1e6
            ProcessSecond(
                second = (b.atNanos - startNanos) / 1e9,
                cpuUser = (b.cpuUserMillis - a.cpuUserMillis) / millis,
                cpuSystem = (b.cpuSystemMillis - a.cpuSystemMillis) / millis,
                rssBytes = b.rssBytes,
                threads = b.threads,
            )
        }
}

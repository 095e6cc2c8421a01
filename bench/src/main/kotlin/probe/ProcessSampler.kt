package threadgauge.probe

import kotlin.concurrent.thread
import threadgauge.model.ProcessSecond

/**
 * Reads a process at [startNanos] and then once a second, on a thread of its own. The last reading is at the end of the
 * window of [windowNanos], or in [stop] if that is 0, where the length is not known in advance.
 */
class ProcessSampler(private val probe: ProcessProbe, private val startNanos: Long, private val windowNanos: Long) {
    /** Written only by the sampling thread, and read after its end. */
    private val readings = ArrayList<ProcessReading>()

    @Volatile
    private var stopping = false
    private val sampling = thread(name = "process-sampler", isDaemon = true) { sample() }

    /** Waits for the last reading. Call it after the load. */
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

    /** An interrupt ends the wait only if [stop] defines the end. */
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

/**
 * Time limit for a broken agent. Normally the window is over when the agent reports it, because agent and coordinator
 * share a clock.
 */
private const val MAX_WAIT_MILLIS = 2_000L

/** Readings of one window. CPU is the difference of two readings divided by the actual time between them. */
class ProcessSeries(private val startNanos: Long, val readings: List<ProcessReading>) {
    /** One entry per pair of readings at least 100 ms apart: with shorter ones, the tick of 10 ms would dominate. */
    fun seconds(): List<ProcessSecond> =
        readings.zipWithNext().filter { (a, b) -> b.atNanos - a.atNanos > 100_000_000 }.map { (a, b) ->
            val millis = (b.atNanos - a.atNanos) / 1e6
            val spent = b.spentSince(a)
            ProcessSecond(
                second = (b.atNanos - startNanos) / 1e9,
                cpuUser = spent.userMillis / millis,
                cpuSystem = spent.systemMillis / millis,
                rssBytes = b.rssBytes,
                threads = b.threads,
            )
        }
}

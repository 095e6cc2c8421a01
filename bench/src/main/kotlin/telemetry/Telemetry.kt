package threadgauge.telemetry

import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import threadgauge.model.failure.TelemetryFault
import threadgauge.run.RunEvent

/** Where figures of a run go while it goes on: nowhere if both are null. */
class TelemetryOrder(val otlp: OtlpOrder? = null, val prometheus: InetSocketAddress? = null) {
    val isEmpty: Boolean get() = otlp == null && prometheus == null

    companion object {
        val NONE = TelemetryOrder()
    }
}

/** A collector that takes OTLP over HTTP at [url]. [headers] may hold secrets, which are never shown. */
class OtlpOrder(val url: String, val headers: Map<String, String> = emptyMap())

/** Takes figures out of the program. Called by one thread. */
internal interface TelemetryOutput : AutoCloseable {
    /** Shortest time between two calls of [publish], in nanoseconds. */
    val everyNanos: Long

    /** Must return at once, whatever the other side does. */
    fun publish(figures: List<MetricPoints>)

    /** Publishes the last figures and waits for a short time until they have arrived. */
    fun end(figures: List<MetricPoints>)
}

/**
 * Exports the figures of a run while it goes on, on a thread of its own that stays idle while a slice is measured, and
 * for the first [LOADED_EVERY_NANOS] of every other load. [hear] only puts the event into a queue.
 *
 * [report] gets each fault once, on the thread that calls [hear] or [close]. Safe for any thread.
 */
class Telemetry internal constructor(
    private val figures: RunFigures,
    private val outputs: List<TelemetryOutput>,
    private val faults: FaultBox,
    /** Where Prometheus can scrape; null if it cannot. */
    val scraped: InetSocketAddress? = null,
    private val report: (TelemetryFault) -> Unit,
) : AutoCloseable {
    private val events = ConcurrentLinkedQueue<RunEvent>()

    /** Released whenever there may be something to do and no measured load is on. */
    private val idle = Semaphore(0)

    /** Written by the thread that calls [hear]. */
    @Volatile
    private var load: LoadUnderWay? = null

    @Volatile
    private var ending = false
    private val due = HashMap<TelemetryOutput, Long>() // of the worker
    private var workedNanos = System.nanoTime() // of the worker
    private val worker = thread(name = "telemetry", isDaemon = true) { work() }

    /** Takes an event; never waits and never throws. */
    fun hear(event: RunEvent) {
        events += event
        when (event) {
            is RunEvent.OfLoad.Started -> load = LoadUnderWay(event.isSlice, System.nanoTime())
            is RunEvent.OfLoad.Reported, is RunEvent.Measuring -> Unit
            else -> {
                load = null
                idle.release()
                if (event !is RunEvent.OfLoad) faults.takeAll().forEach(report)
            }
        }
    }

    /** Exports the last figures, which takes [MAX_END_SECONDS] at most, and stops everything. */
    override fun close() {
        ending = true
        idle.release()
        worker.join(TimeUnit.SECONDS.toMillis(MAX_END_SECONDS))
        outputs.forEach { it.close() }
        faults.takeAll().forEach(report)
    }

    private fun work() {
        exportDue()
        while (true) {
            if (load?.isSlice == true) idle.acquire() else idle.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS)
            idle.drainPermits()
            if (ending) break
            if (mayWork()) exportDue()
        }
        take()
        figures.end()
        outputs.forEach { it.end(figures.snapshot()) }
    }

    private fun mayWork(): Boolean {
        val now = load ?: return true
        return !now.isSlice && System.nanoTime() - maxOf(now.startNanos, workedNanos) >= LOADED_EVERY_NANOS
    }

    private fun exportDue() {
        val now = System.nanoTime()
        val mine = outputs.filter { now - (due[it] ?: now) >= 0 }
        if (mine.isEmpty()) return
        take()
        val snapshot = figures.snapshot()
        mine.forEach {
            it.publish(snapshot)
            due[it] = now + it.everyNanos
        }
        workedNanos = System.nanoTime()
    }

    private fun take() {
        while (true) figures.hear(events.poll() ?: return)
    }

    private class LoadUnderWay(val isSlice: Boolean, val startNanos: Long)

    companion object {
        /**
         * Opens what [order] asks for, for the run of [experiment] whose record is [run]. Throws `Failed` if the port
         * is in use.
         */
        fun open(order: TelemetryOrder, experiment: String, run: String, report: (TelemetryFault) -> Unit): Telemetry {
            val faults = FaultBox()
            val page = order.prometheus?.let { PrometheusPage(it, run) } // first, because it may fail
            val push = order.otlp?.let { OtlpPush(it, run, faults::put) }
            return Telemetry(RunFigures(experiment), listOfNotNull(page, push), faults, page?.address, report)
        }

        /** How often work is done during a load that is not a slice, and how long such a load is left alone first. */
        internal const val LOADED_EVERY_NANOS = 5_000_000_000L

        /** How often the thread looks whether an output is due. */
        private const val LOOK_NANOS = 1_000_000_000L
        private const val MAX_END_SECONDS = 4L
    }
}

/** Faults until they are reported; each place is reported once. Safe for any thread. */
internal class FaultBox {
    private val waiting = ConcurrentLinkedQueue<TelemetryFault>()
    private val seen = HashSet<String>() // guarded by this

    fun put(fault: TelemetryFault) {
        if (synchronized(this) { seen.add(fault.place) }) waiting += fault
    }

    fun takeAll(): List<TelemetryFault> = generateSequence { waiting.poll() }.toList()
}

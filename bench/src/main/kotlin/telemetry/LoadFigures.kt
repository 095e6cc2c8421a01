package threadgauge.telemetry

import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.decode
import threadgauge.model.Load
import threadgauge.model.lengthNanos
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.users
import threadgauge.run.RunEvent

/**
 * Makes figures of measured loads. What the load agent reports of a closed second is added at once: requests sent and
 * answered, and the latency. Everything else is known, and added, at the end of the load: that is what makes the sums
 * those of the record. Owned by one thread.
 *
 * [attributesOf] gives the attributes of a trial in a situation.
 */
internal class LoadFigures(
    private val figures: Figures,
    private val attributesOf: (PlannedTrial, situation: String) -> PointAttributes,
) {
    private var open: OpenLoad? = null

    fun hear(event: RunEvent.OfLoad) = when (event) {
        is RunEvent.OfLoad.Started -> begin(event)
        is RunEvent.OfLoad.Reported -> open?.let { reported(it, event.message) } ?: Unit
        is RunEvent.OfLoad.Ended -> open?.let { end(it, event) } ?: Unit
    }

    /** The load under way will not end as it should: its target failed, or the run was interrupted. */
    fun abandon() {
        open?.let { figures.set(Metric.ACTIVE_REQUESTS, it.http, 0.0) }
        open = null
    }

    private fun begin(event: RunEvent.OfLoad.Started) {
        abandon()
        val attributes = attributesOf(event.planned, event.situation.name)
        val load = OpenLoad(event, attributes, attributes + httpAttributes(event)).also { open = it }
        event.situation.load.users?.let { figures.set(Metric.LOAD_USERS, attributes, it.toDouble()) }
        showRate(load, atNanos = 0)
        figures.set(Metric.ACTIVE_REQUESTS, load.http, 0.0)
    }

    private fun reported(load: OpenLoad, message: AgentMessage) {
        when (message) {
            is AgentMessage.Started -> load.windowNanos = message.windowNanos
            is AgentMessage.Second -> {
                load.sent += message.sent
                load.answered += message.answered
                figures.add(Metric.SENT, load.attributes, message.sent.toDouble())
                figures.add(Metric.ANSWERED, load.attributes, message.answered.toDouble())
                figures.add(Metric.LATENCY, load.attributes, decode(message.latency))
                load.reachSecond(message.second + 1).let { figures.add(Metric.LOAD_TIME, load.attributes, it) }
            }
            is AgentMessage.Pulse -> {
                figures.set(Metric.ACTIVE_REQUESTS, load.http, load.activeAt(message).toDouble())
                showRate(load, (message.second + 1) * SECOND)
            }
            is AgentMessage.Ready, is AgentMessage.Done, is AgentMessage.Refused -> Unit
        }
    }

    private fun showRate(load: OpenLoad, atNanos: Long) {
        val rate = (load.event.situation.load as? Load.Open)?.rateAt(atNanos) ?: return
        figures.set(Metric.LOAD_RATE, load.attributes, rate)
    }

    private fun end(load: OpenLoad, event: RunEvent.OfLoad.Ended) {
        val done = event.done
        val attributes = load.attributes
        fun count(metric: Metric, requests: Long) =
            figures.add(metric, attributes, maxOf(0, requests).toDouble())
        count(Metric.SCHEDULED, done.scheduled)
        count(Metric.SENT, done.sent - load.sent)
        count(Metric.ANSWERED, done.answered - load.answered)
        for ((type, requests) in failuresOf(done)) {
            figures.add(Metric.FAILED, attributes + (Attribute.ERROR to type), requests.toDouble())
        }
        figures.add(Metric.LOAD_TIME, attributes, maxOf(0.0, done.windowNanos / 1e9 - load.seconds))
        figures.add(Metric.REQUEST_DURATION, load.http + statusOf(done), decode(done.serviceTime))
        figures.add(Metric.SEND_DELAY, attributes, decode(done.sendDelay))
        figures.set(Metric.THROUGHPUT, attributes, done.perSecond)
        figures.set(Metric.ACTIVE_REQUESTS, load.http, 0.0)
        target(event, attributes)
        // Between slices the load stays visible: nothing is exported within one.
        if (!load.event.isSlice) showNoLoad(attributes)
        open = null
    }

    private fun target(event: RunEvent.OfLoad.Ended, attributes: PointAttributes) {
        val ofProcess = attributes - Attribute.SITUATION
        val last = event.process.lastOrNull()
        val cost = event.cost
        cost.cpuUserMillis?.let { cpu(attributes, "user", it) }
        cost.cpuSystemMillis?.let { cpu(attributes, "system", it) }
        (last?.rssBytes ?: cost.rssBytesMax)?.let { figures.set(Metric.TARGET_MEMORY, ofProcess, it.toDouble()) }
        (last?.threads ?: cost.threadsMax)?.let { figures.set(Metric.TARGET_THREADS, ofProcess, it.toDouble()) }
    }

    private fun cpu(attributes: PointAttributes, mode: String, millis: Double) =
        figures.add(Metric.TARGET_CPU, attributes + (Attribute.CPU_MODE to mode), maxOf(0.0, millis / 1e3))

    private fun showNoLoad(attributes: PointAttributes) {
        figures.remove(Metric.LOAD_RATE, attributes)
        figures.remove(Metric.LOAD_USERS, attributes)
    }
}

/** A load under way, with what was added of it so far. */
private class OpenLoad(
    val event: RunEvent.OfLoad.Started,
    val attributes: PointAttributes,
    val http: PointAttributes,
) {
    var sent = 0L
    var answered = 0L
    var seconds = 0.0
        private set

    /** 0 until the agent has reported it, and for a load that ends with its last request. */
    var windowNanos = 0L
    private var pulse = -1
    private var active = 0

    /** The seconds by which the time under load grows if [second] seconds have closed; answers may come later. */
    fun reachSecond(second: Int): Double {
        val reached = if (windowNanos > 0) minOf(second.toDouble(), windowNanos / 1e9) else 0.0
        val more = maxOf(0.0, reached - seconds)
        seconds += more
        return more
    }

    /** Requests in flight; each agent reports its own. */
    fun activeAt(message: AgentMessage.Pulse): Int {
        if (message.second != pulse) active = 0
        pulse = message.second
        active += message.active
        return active
    }
}

/** The method only where all requests have the same: steps of scenarios have several. */
private fun httpAttributes(event: RunEvent.OfLoad.Started): PointAttributes {
    val requests = event.situation.scenarios.flatMap { scenario -> scenario.steps.map { it.request } }
    val methods = requests.ifEmpty { listOf(event.situation.request) }.map { it.method }.distinct()
    return mapOf(Attribute.ADDRESS to event.host, Attribute.PORT to event.port.toLong()) +
        methods.singleOrNull()?.let { mapOf(Attribute.METHOD to it) }.orEmpty()
}

/** The status of the correct answers, if all had the same. */
private fun statusOf(done: AgentMessage.Done): PointAttributes =
    done.statuses.keys.singleOrNull()?.let { mapOf(Attribute.STATUS to it.toLong()) }.orEmpty()

/** Failed requests by the value of `error.type`. Their sum is `Counts.failed`. */
private fun failuresOf(done: AgentMessage.Done): Map<String, Long> =
    done.failures.mapKeys { (outcome, _) -> outcome.name.lowercase() } +
        mapOf("unfinished" to done.unfinished, "unsent" to done.unsent).filterValues { it > 0 }

/** Requests per second that are due [nanos] after the start of the load; null for a burst, which has no rate. */
internal fun Load.Open.rateAt(nanos: Long): Double? = when (this) {
    is Load.Rate -> ratePerSecond
    is Load.Poisson -> ratePerSecond
    is Load.Ramp ->
        fromPerSecond + (toPerSecond - fromPerSecond) * nanos.coerceIn(0, forNanos).toDouble() / maxOf(1, forNanos)
    is Load.Burst -> null
    is Load.Steps -> rateOfStep(nanos)
}

private fun Load.Steps.rateOfStep(nanos: Long): Double? {
    var left = nanos
    val lasting = parts.filter { it.lengthNanos != null }
    for (part in lasting) {
        val length = part.lengthNanos ?: 0
        if (left < length) return part.rateAt(left)
        left -= length
    }
    return lasting.lastOrNull()?.rateAt(lasting.last().lengthNanos ?: 0)
}

private const val SECOND = 1_000_000_000L

package threadgauge.telemetry

import org.HdrHistogram.Histogram
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.encode
import threadgauge.load.record.newHistogram
import threadgauge.model.AgentHealth
import threadgauge.model.Cost
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.ProcessSecond
import threadgauge.model.Situation
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.request.Request
import threadgauge.run.RunEvent

/** A measured load of two seconds, of which ten requests were due, eight sent, five answered and one refused. */
internal object LoadEvents {
    val planned = PlannedTrial("shop", 2, listOf("hello"))
    val situation = Situation("hello", "say hello", Request(path = "/hello"), Load.Rate(5.0, 2 * SECOND))

    fun started(isSlice: Boolean = false, load: Load = situation.load) =
        RunEvent.OfLoad.Started(planned, situation.copy(load = load), "127.0.0.1", 8080, isSlice)

    fun reported(message: AgentMessage) = RunEvent.OfLoad.Reported(planned, message)

    val opened = reported(AgentMessage.Started(1, startNanos = 1, windowNanos = 2 * SECOND))

    /** Latencies in milliseconds. */
    fun second(number: Int, sent: Long, answered: Long, vararg millis: Double) =
        reported(AgentMessage.Second(1, number, sent, answered, 0, encode(times(*millis))))

    fun pulse(number: Int, active: Int) = reported(AgentMessage.Pulse(1, number, active, 0, 0))

    val ended = RunEvent.OfLoad.Ended(
        planned,
        AgentMessage.Done(
            order = 1, windowNanos = 2 * SECOND, scheduled = 10, sent = 8, answered = 5, answeredInWindow = 4,
            unsent = 2, unfinished = 2, failures = mapOf(Outcome.SERVER_ERROR to 1), connectionsOpened = 8,
            statuses = mapOf(200 to 5), serviceTime = encode(times(0.2, 0.4, 3.0, 3.0, 12_000.0)),
            sendDelay = encode(times(0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 600.0)),
            health = AgentHealth(1.0, 0, 0.0, 1.0, 1.0, 1),
        ),
        Cost(windowMillis = 2_000.0, cpuUserMillis = 500.0, cpuSystemMillis = 250.0, rssBytesMax = 7, threadsMax = 6),
        listOf(ProcessSecond(1.0, 0.2, 0.1, rssBytes = 50_000_000, threads = 21)),
    )

    /** All of the load, as a run reports it. */
    fun load(isSlice: Boolean = false): List<RunEvent> = listOf(
        started(isSlice), opened, second(0, 5, 3, 0.2, 0.4, 3.0), pulse(0, 2), second(1, 2, 1, 3.0), ended,
    )

    fun times(vararg millis: Double): Histogram =
        newHistogram().apply { millis.forEach { recordValue((it * 1e6).toLong()) } }

    private const val SECOND = 1_000_000_000L
}

/** The only number of [metric] with these attributes. */
internal fun List<MetricPoints>.number(metric: Metric, vararg attributes: Pair<String, Any>): Double =
    points(metric, *attributes).filterIsInstance<Point.Number>().single().value

/** The only times of [metric]. */
internal fun List<MetricPoints>.times(metric: Metric): Point.Times =
    points(metric).filterIsInstance<Point.Times>().single()

internal fun List<MetricPoints>.points(metric: Metric, vararg attributes: Pair<String, Any>): List<Point> =
    filter { it.metric == metric }.flatMap { it.points }
        .filter { point -> attributes.all { (name, value) -> point.attributes[name] == value } }

package threadgauge.run.measure

import java.nio.file.Path
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.LoadSeries
import threadgauge.load.agent.ScenarioDone
import threadgauge.load.agent.decode
import threadgauge.load.agent.encode
import threadgauge.load.agent.inSequence
import threadgauge.load.agent.summary
import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.model.Cost
import threadgauge.model.JvmCost
import threadgauge.model.ProcessSecond
import threadgauge.model.Sample
import threadgauge.model.ScenarioSample
import threadgauge.model.Situation
import threadgauge.model.StepSample
import threadgauge.model.StreamSample
import threadgauge.model.Surroundings
import threadgauge.model.plan.Slice
import threadgauge.model.plan.SliceLatency
import threadgauge.model.request.Scenario
import threadgauge.run.agent.countsOf

/**
 * The measurement of one load. [startNanos] is `System.nanoTime` of the first intended request, [atMillis] the same
 * since the start of the run.
 */
internal class MeasuredLoad(
    val startNanos: Long,
    val atMillis: Double,
    val series: LoadSeries,
    val done: AgentMessage.Done,
    val cost: Cost,
    val process: List<ProcessSecond>,
    val surroundings: Surroundings,
) {
    /** The slice of [round] as the record keeps it. */
    fun slice(situation: String, round: Int): Slice {
        val latency = summary(series.latency())
        return Slice(
            situation = situation,
            round = round,
            atMillis = atMillis,
            windowMillis = done.windowNanos / 1e6,
            counts = countsOf(done),
            answeredInWindow = done.answeredInWindow,
            latency = SliceLatency(latency.meanMicros, latency.p50Micros, latency.p99Micros),
            sendDelayP99Micros = summary(decode(done.sendDelay)).p99Micros,
            cpuMillis = cost.cpuMillis,
            agentCpuMillis = done.health.cpuMillis,
            referenceMicros = surroundings.referenceDuringMicros,
            steal = cost.steal,
            otherBusyShare = surroundings.otherBusyShare,
            takenFromTarget = surroundings.takenFromTarget,
        )
    }
}

/**
 * Adds up successive loads of one situation on one process to one sample. Counts and histograms are added, which is
 * exact; shares are averaged by time. Belongs to one thread.
 */
internal class LoadSum(private val situation: Situation) {
    private val series = LoadSeries()
    private val process = ArrayList<ProcessSecond>()
    private var first: MeasuredLoad? = null
    private var done: AgentMessage.Done? = null
    private var cost: Cost? = null
    private var surroundings: Surroundings? = null

    val isEmpty get() = first == null

    /** Adds the next load. */
    fun add(load: MeasuredLoad) {
        val soFar = done?.windowNanos ?: 0L
        series.add(load.series, (soFar / NANOS_PER_SECOND).toInt())
        process += load.process.map { it.copy(second = it.second + soFar.toDouble() / NANOS_PER_SECOND) }
        first = first ?: load
        done = done?.let { inSequence(listOf(it, load.done)) } ?: load.done
        cost = cost?.let { sum(it, load.cost) } ?: load.cost
        surroundings =
            surroundings?.let { sum(it, soFar, load.surroundings, load.done.windowNanos) } ?: load.surroundings
    }

    /** Writes the latencies second by second. */
    fun writeLog(file: Path) = series.writeLog(file, checkNotNull(first).startNanos)

    /**
     * The sample of all loads so far; [hlog] is the name of the file of its latencies. Throws `IllegalStateException`
     * without any load.
     */
    fun sample(hlog: String): Sample {
        val done = checkNotNull(done) { "a sum of no loads" }
        val latency = series.latency()
        return Sample(
            situation = situation.name,
            atMillis = checkNotNull(first).atMillis,
            windowMillis = done.windowNanos / 1e6,
            counts = countsOf(done),
            answeredInWindow = done.answeredInWindow,
            latency = summary(latency),
            distribution = encode(latency),
            serviceTime = summary(decode(done.serviceTime)),
            sendDelay = summary(decode(done.sendDelay)),
            received = done.received,
            counted = done.counted,
            statuses = done.statuses,
            tls = done.tls,
            hlog = hlog,
            seconds = series.seconds(),
            process = process.toList(),
            cost = checkNotNull(cost),
            agent = done.health,
            surroundings = surroundings,
            scenarios = situation.scenarios.zip(done.scenarios) { scenario, its -> sampleOf(scenario, its) },
            missingShare = done.missingShare,
            stream = done.stream?.let {
                StreamSample(it.messages, summary(decode(it.first)), summary(decode(it.gaps)))
            },
        )
    }
}

private fun sampleOf(scenario: Scenario, done: ScenarioDone) = ScenarioSample(
    name = scenario.name,
    begun = done.begun,
    completed = done.completed,
    failed = done.failed,
    cut = done.cut,
    duration = summary(decode(done.duration)),
    durations = done.duration,
    steps = scenario.steps.zip(done.steps) { step, its ->
        StepSample(
            name = step.name,
            answered = its.answered,
            unfinished = its.unfinished,
            unsent = its.unsent,
            failures = its.failures,
            latency = summary(decode(its.latency)),
            distribution = its.latency,
            serviceTime = summary(decode(its.serviceTime)),
        )
    },
)

private fun sum(a: Cost, b: Cost) = Cost(
    windowMillis = a.windowMillis + b.windowMillis,
    cpuUserMillis = both(a.cpuUserMillis, b.cpuUserMillis, Double::plus),
    cpuSystemMillis = both(a.cpuSystemMillis, b.cpuSystemMillis, Double::plus),
    rssBytesMax = listOfNotNull(a.rssBytesMax, b.rssBytesMax).maxOrNull(),
    threadsMax = listOfNotNull(a.threadsMax, b.threadsMax).maxOrNull(),
    voluntarySwitches = both(a.voluntarySwitches, b.voluntarySwitches, Long::plus),
    involuntarySwitches = both(a.involuntarySwitches, b.involuntarySwitches, Long::plus),
    jvm = both(a.jvm, b.jvm) { x, y ->
        JvmCost(
            collections = x.collections + y.collections,
            collectionMillis = x.collectionMillis + y.collectionMillis,
            compileMillis = x.compileMillis + y.compileMillis,
            allocatedBytes = both(x.allocatedBytes, y.allocatedBytes, Long::plus),
        )
    },
    jvmState = b.jvmState ?: a.jvmState,
    steal = mean(a.steal, a.windowMillis, b.steal, b.windowMillis),
)

private fun sum(a: Surroundings, nanosOfA: Long, b: Surroundings, nanosOfB: Long): Surroundings {
    fun mean(of: (Surroundings) -> Double?) = mean(of(a), nanosOfA.toDouble(), of(b), nanosOfB.toDouble())
    return Surroundings(
        referenceDuringMicros = mean { it.referenceDuringMicros },
        swappedInPages = both(a.swappedInPages, b.swappedInPages, Long::plus),
        swappedOutPages = both(a.swappedOutPages, b.swappedOutPages, Long::plus),
        otherBusyShare = mean { it.otherBusyShare },
        takenFromTarget = mean { it.takenFromTarget },
        maxOpenFiles = listOfNotNull(a.maxOpenFiles, b.maxOpenFiles).maxOrNull(),
        openFilesLimit = b.openFilesLimit ?: a.openFilesLimit,
    )
}

/** The sum, null if one of the two is unknown. */
private fun <T : Any> both(a: T?, b: T?, sum: (T, T) -> T): T? = if (a == null || b == null) null else sum(a, b)

/** The mean weighted by time; null if one of the two is unknown. */
private fun mean(a: Double?, weightOfA: Double, b: Double?, weightOfB: Double) =
    if (weightOfA + weightOfB <= 0) {
        null
    } else {
        both(a, b) { x, y -> (x * weightOfA + y * weightOfB) / (weightOfA + weightOfB) }
    }

package threadgauge.run.measure

import java.io.File
import threadgauge.contract.HttpContract
import threadgauge.load.agent.Address
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.LoadSeries
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.decode
import threadgauge.load.agent.encode
import threadgauge.load.agent.summary
import threadgauge.model.Connections
import threadgauge.model.Expectation
import threadgauge.model.JvmState
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.PlannedTrial
import threadgauge.model.Request
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.lengthNanos
import threadgauge.model.maxConnections
import threadgauge.model.warmUp
import threadgauge.probe.FamilyProbe
import threadgauge.probe.JvmProbe
import threadgauge.probe.ProcessProbe
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.run.Surrounding
import threadgauge.run.agent.countsOf
import threadgauge.run.sale.SaleEvents
import threadgauge.target.Target

/** Puts one load on one target, with all probes running, and makes a sample of it. */
internal class LoadMeasurement(
    private val context: RunContext,
    private val surrounding: Surrounding,
    private val target: Target,
    private val jvm: JvmProbe?,
    private val keepsContract: Boolean,
    private val sales: SaleEvents?,
) {
    private val agents = surrounding.agents
    private val process = if (target.pid == null) null else FamilyProbe(target::family)

    /** The last load ended with requests that nobody had answered. */
    private var hasLeftovers = false

    /** The processes that take part in a measurement besides the target: what they do is not done by others. */
    private val taking = (agents.pids + ProcessHandle.current().pid()).map { ProcessProbe.of(it) } +
        listOf(surrounding.services::family).filter { it().isNotEmpty() }.map(::FamilyProbe)

    /** The situation's load as the experiment says. */
    fun measure(planned: PlannedTrial, situation: Situation): Sample {
        val sale = sales?.open(situation) ?: return measured(planned, situation)
        return sales.audited(sale, measured(planned, sale.asked))
    }

    private fun measured(planned: PlannedTrial, situation: Situation): Sample {
        val series = LoadSeries()
        val window = CostWindow(process, jvm, context.machine)
        val surroundings = SurroundingsWindow(
            surrounding.reference, context.machine, context.cores.target, process, taking,
        )
        surroundings.before()
        val done = load(order(situation, situation.load)) { message ->
            series.hear(message)
            if (message is AgentMessage.Started) {
                window.open(message.startNanos, message.windowNanos)
                surroundings.open()
            }
            if (message is AgentMessage.Pulse) {
                val of = situation.load.lengthNanos?.let { ((it + 999_999_999) / 1_000_000_000).toInt() }
                context.tell(RunEvent.Measuring(planned, situation.name, message.second + 1, of, message.failed))
            }
        }
        surroundings.close()
        val (cost, readings) = window.close()
        target.checkAlive()
        val latency = series.latency()
        val hlog = context.folder.hlogOf(planned, situation.name)
        context.folder.writing { series.writeLog(it.resolve(hlog), window.startNanos) }
        return Sample(
            situation = situation.name,
            atMillis = context.writer.runMillis(window.startNanos),
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
            process = readings,
            cost = cost,
            agent = done.health,
            surroundings = surroundings.after(),
        )
    }

    /** A stretch of warm-up: the same requests, for [nanos], and nothing kept but the rate, in answers per second. */
    fun warm(situation: Situation, nanos: Long): Double =
        besides(situation, situation.load.warmUp(nanos), nanos).perSecond

    /**
     * A load of which no sample is made: nobody waits for probes before it, and what sells has events of its own for
     * it.
     */
    private fun besides(situation: Situation, load: Load, nanos: Long, patienceNanos: Long? = null): AgentMessage.Done {
        val asked = sales?.openForWarmUp(situation, nanos)?.asked ?: situation
        val order = order(asked, load).copy(leadNanos = 0)
        return load(if (patienceNanos == null) order else order.copy(drainNanos = patienceNanos)) {}
            .also { target.checkAlive() }
    }

    /**
     * Waits until a single user is answered, where the last load left requests unanswered: many servers carry these out
     * although nobody waits any more, and the next load would stand in line behind them. An error is an answer too: who
     * gives one is not busy. Returns for how many milliseconds; null where that took too long.
     */
    fun awaitQuiescence(planned: PlannedTrial, situation: Situation): Double? {
        if (!hasLeftovers) return 0.0
        context.tell(RunEvent.PutOff(planned))
        val startNanos = System.nanoTime()
        do {
            besides(situation, Load.Users(1, ALONE_NANOS), ALONE_NANOS, ALONE_PATIENCE_NANOS)
            if (!hasLeftovers) return (System.nanoTime() - startNanos) / 1e6
        } while (System.nanoTime() - startNanos < LEFTOVERS_NANOS)
        return null
    }

    private fun load(order: WorkOrder, hear: (AgentMessage) -> Unit): AgentMessage.Done =
        agents.load(order, hear)
            .also { hasLeftovers = it.unfinished > 0 || it.failures.keys.any(UNANSWERED::contains) }

    /** State of the JVM now; null where it cannot be attached to. */
    fun jvmState(): JvmState? = jvm?.read()?.let { reading -> process?.let { stateOf(reading, it) } }

    private fun order(situation: Situation, load: Load) = WorkOrder(
        id = 1,
        load = load,
        request = checked(situation.request),
        targets = target.endpoints.map { Address(it.host, it.port, it.address) },
        connections = if (target.host.startsWith("127.")) fromEnoughAddresses(situation) else situation.connections,
    )

    /** A correct answer is what the contract says, unless the experiment says otherwise. */
    private fun checked(request: Request): Request {
        if (!keepsContract || request.method != "GET" || request.expect != Expectation()) return request
        return request.copy(expect = Expectation(body = HttpContract.expectedBody(request.path)?.decodeToString()))
    }
}

/**
 * On Linux all of 127.0.0.0/8 is this machine, so a load of many connections leaves from several addresses: from one,
 * half of the 28,000 ports are quick to find, since the kernel gives odd and even ones to different uses, and the
 * others are searched for.
 */
internal fun fromEnoughAddresses(situation: Situation, linux: Boolean = File("/proc/sys/net").exists()): Connections {
    val connections = situation.connections
    val addresses = (situation.maxConnections + PORTS_OF_AN_ADDRESS - 1) / PORTS_OF_AN_ADDRESS
    if (!linux || connections.sources.isNotEmpty() || addresses < 2) return connections
    return connections.copy(sources = (1..addresses).map { "127.0.0.$it" })
}

private const val PORTS_OF_AN_ADDRESS = 14_000

/** What becomes of a request, or its connection, where a server is too busy to answer. */
private val UNANSWERED = setOf(Outcome.RESPONSE_TIMEOUT, Outcome.CONNECT_TIMEOUT)

/** The shortest load of a single user: it asks once, and again if it is answered sooner. */
private const val ALONE_NANOS = 200_000_000L

/** How long a single user waits for its answer: longer than the longest request may take. */
private const val ALONE_PATIENCE_NANOS = 65_000_000_000L

/**
 * How long a target may take for what a load has left. Eight thousand requests of five seconds take 200 threads 205 s.
 */
private const val LEFTOVERS_NANOS = 300_000_000_000L

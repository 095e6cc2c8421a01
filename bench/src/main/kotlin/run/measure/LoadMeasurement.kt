package threadgauge.run.measure

import java.io.File
import java.time.Duration
import threadgauge.contract.HttpContract
import threadgauge.load.agent.Address
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.LoadSeries
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.decode
import threadgauge.load.agent.summary
import threadgauge.model.JvmState
import threadgauge.model.Load
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.failure.TargetFault
import threadgauge.model.lengthNanos
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request
import threadgauge.model.request.maxConnections
import threadgauge.model.request.withoutThinking
import threadgauge.model.warmUp
import threadgauge.probe.FamilyProbe
import threadgauge.probe.JvmProbe
import threadgauge.probe.ProcessProbe
import threadgauge.run.RunContext
import threadgauge.run.RunEvent
import threadgauge.run.Surrounding
import threadgauge.run.sale.SaleEvents
import threadgauge.target.Target
import threadgauge.target.TargetFailed

/**
 * Puts loads on one target while all probes run, and makes samples of them. Belongs to the run's thread. Its functions
 * throw [TargetFailed] if the target ends, stops listening or does not answer.
 */
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

    private val answers = AnswerWatch()
    private val portsBefore = target.listeningPorts()

    /** How long the run has already waited for an answer after the last load, in milliseconds. */
    private var waitedMillis = 0.0

    /**
     * Processes that take part in the measurement besides the target: their CPU time is not counted as that of other
     * programs.
     */
    private val taking = (agents.pids + ProcessHandle.current().pid()).map { ProcessProbe.of(it) } +
        listOf(surrounding.services::family).filter { it().isNotEmpty() }.map(::FamilyProbe)

    /** Measures the load of [situation] as a whole. A sale is audited after it. */
    fun measure(planned: PlannedTrial, situation: Situation): Sample {
        val sale = sales?.open(situation) ?: return measured(planned, situation)
        return sales.audited(sale, measured(planned, sale.asked))
    }

    private fun measured(planned: PlannedTrial, situation: Situation): Sample {
        val sum = LoadSum(situation)
        sum.add(loaded(planned, situation))
        return keep(planned, situation, sum)
    }

    /** The sample of [sum]. Its latencies are written to a file beside the record. */
    fun keep(planned: PlannedTrial, situation: Situation, sum: LoadSum): Sample {
        val hlog = context.folder.hlogOf(planned, situation.name)
        context.folder.writing { sum.writeLog(it.resolve(hlog)) }
        return sum.sample(hlog)
    }

    /**
     * Puts the load of [situation] on the target and measures it. With [leadInNanos] the load is a slice: the lead-in
     * does not count, and the reference loop does not run before and after it, because a slice is too short for that.
     */
    fun loaded(planned: PlannedTrial, situation: Situation, leadInNanos: Long = 0): MeasuredLoad {
        val series = LoadSeries()
        val window = CostWindow(process, jvm, context.machine)
        val surroundings = SurroundingsWindow(
            surrounding.reference, context.machine, context.cores.target, context.cores.agent, process, taking,
        )
        val isSlice = leadInNanos > 0
        if (!isSlice) surroundings.before()
        val order = order(situation, situation.load)
        val asked = if (isSlice) order.copy(leadNanos = SLICE_LEAD_NANOS, leadInNanos = leadInNanos) else order
        context.tell(RunEvent.OfLoad.Started(planned, situation, target.host, target.port, isSlice))
        val done = load(asked) { message ->
            series.hear(message)
            if (message is AgentMessage.Started) {
                if (isSlice) Thread.sleep(Duration.ofNanos(message.startNanos - System.nanoTime()))
                window.open(message.startNanos, message.windowNanos)
                surroundings.open()
            }
            if (message is AgentMessage.Pulse && !isSlice) {
                val of = situation.load.lengthNanos?.let { ((it + 999_999_999) / 1_000_000_000).toInt() }
                context.tell(RunEvent.Measuring(planned, situation.name, message.second + 1, of, message.failed))
            }
            context.tell(RunEvent.OfLoad.Reported(planned, message))
        }
        surroundings.close()
        val (cost, readings) = window.close()
        checkServing()
        return MeasuredLoad(
            startNanos = window.startNanos,
            atMillis = context.writer.runMillis(window.startNanos),
            series = series,
            done = done,
            cost = cost,
            process = readings,
            surroundings = if (isSlice) surroundings.seen() else surroundings.after(),
        ).also {
            context.tell(RunEvent.OfLoad.Ended(planned, done, cost, readings))
            awaitFirstAnswer(planned, situation)
        }
    }

    /**
     * Puts the load of [situation] on the target without measuring what it costs: [watch] is called in its lead-in of
     * [leadInNanos], with the start of its window in `System.nanoTime` and its length.
     */
    fun observed(situation: Situation, leadInNanos: Long, watch: (Long, Long) -> Unit): ObservedLoad {
        val series = LoadSeries()
        val order =
            order(situation, situation.load).copy(leadNanos = SLICE_LEAD_NANOS, leadInNanos = leadInNanos)
        var startNanos = 0L
        val done = load(order) { message ->
            series.hear(message)
            if (message is AgentMessage.Started) {
                startNanos = message.startNanos
                watch(message.startNanos, message.windowNanos)
            }
        }
        checkServing()
        return ObservedLoad(
            atMillis = context.writer.runMillis(startNanos),
            windowMillis = done.windowNanos / 1e6,
            answered = done.answeredInWindow,
            meanMicros = summary(series.latency()).meanMicros,
        )
    }

    /** An iteration of warm-up: the same requests for [nanos], of which the first [leadInNanos] do not count. */
    fun warm(planned: PlannedTrial, situation: Situation, nanos: Long, leadInNanos: Long = 0): WarmIteration {
        val busy = situation.copy(scenarios = situation.scenarios.map { it.withoutThinking() })
        val done = besides(busy, situation.load.warmUp(nanos), nanos, leadInNanos = leadInNanos)
        awaitFirstAnswer(planned, situation)
        return WarmIteration(done.perSecond, summary(decode(done.serviceTime)).p50Micros)
    }

    /**
     * Time of an answer to a single user, in microseconds, from a load of [nanos] and the wait for its last answer.
     * Null if no answer came.
     */
    fun aloneMicros(situation: Situation, nanos: Long): Double? {
        val done = besides(situation, Load.Users(1, nanos), nanos)
        if (done.perSecond > 0) return 1e6 / done.perSecond
        return summary(decode(done.serviceTime)).takeIf { it.count > 0 }?.p50Micros
    }

    /** A load without a sample: it does not wait for probes, and a sale gets events of its own for it. */
    private fun besides(
        situation: Situation,
        load: Load,
        nanos: Long,
        patienceNanos: Long? = null,
        leadInNanos: Long = 0,
    ): AgentMessage.Done {
        val asked = sales?.openForWarmUp(situation, nanos)?.asked ?: situation
        // No lead-in for a sale, whose audit counts every seat that was requested.
        val order = order(asked, load).copy(leadNanos = 0, leadInNanos = if (sales == null) leadInNanos else 0)
        return load(if (patienceNanos == null) order else order.copy(drainNanos = patienceNanos)) {}
            .also { checkServing() }
    }

    /** Throws [TargetFailed] if the process has ended, or its port was closed, since the last load began. */
    private fun checkServing() {
        target.checkAlive()
        if (answers.wasRefused) target.checkListening(portsBefore)
    }

    /** Throws [TargetFailed] if the target hangs: a load without any answer is no measurement. */
    private fun awaitFirstAnswer(planned: PlannedTrial, situation: Situation) {
        if (!answers.wasSilent) return
        val hasLeftovers = answers.leftovers > 0
        val waited = awaitAnswer(planned, situation) ?: throw hangs(LEFTOVERS_NANOS)
        if (hasLeftovers) waitedMillis = waited
    }

    /**
     * Waits until a single user gets an answer, if the last load left requests unanswered: many servers carry these out
     * although no client waits any more, and the next load would queue behind them. An error response counts as an
     * answer, because a server that gives one is not busy. Returns the milliseconds waited; null if that took too long.
     * Throws [TargetFailed] if no answer comes although the leftovers must be done by now.
     */
    fun awaitQuiescence(planned: PlannedTrial, situation: Situation): Double? {
        val waited = waitedMillis
        waitedMillis = 0.0
        return if (answers.leftovers == 0L) waited else awaitAnswer(planned, situation)
    }

    private fun awaitAnswer(planned: PlannedTrial, situation: Situation): Double? {
        context.tell(RunEvent.PutOff(planned))
        val patience = answers.patienceNanos(context.patience.silenceNanos)
        val startNanos = System.nanoTime()
        do {
            context.cancellation.check()
            besides(situation, Load.Users(1, ALONE_NANOS), ALONE_NANOS, minOf(ALONE_PATIENCE_NANOS, patience))
            if (answers.leftovers == 0L) return (System.nanoTime() - startNanos) / 1e6
        } while (System.nanoTime() - startNanos < patience)
        if (patience < LEFTOVERS_NANOS) throw hangs(patience)
        return null
    }

    /** [nanos] is how long the run waited after the end of the load and its drain. */
    private fun hangs(nanos: Long): TargetFailed {
        val seconds = (context.patience.drainNanos + nanos) / 1_000_000_000
        return TargetFailed(TargetFault.NoAnswers(seconds), target.log)
    }

    private fun load(order: WorkOrder, hear: (AgentMessage) -> Unit): AgentMessage.Done =
        agents.load(order, hear).also(answers::see)

    /** State of the JVM now; null if it cannot be attached to. */
    fun jvmState(): JvmState? = jvm?.read()?.let { reading -> process?.let { stateOf(reading, it) } }

    private fun order(situation: Situation, load: Load) = WorkOrder(
        id = 1,
        load = load,
        request = checked(situation.request),
        targets = surrounding.fleet?.addressesOf(target)
            ?: target.endpoints.map { Address(it.host, it.port, it.address) },
        connections = if (surrounding.fleet == null && target.host.startsWith("127.")) {
            fromEnoughAddresses(situation)
        } else {
            situation.connections
        },
        drainNanos = context.patience.drainNanos,
        scenarios = situation.scenarios.map { scenario ->
            scenario.copy(steps = scenario.steps.map { it.copy(request = checked(it.request)) })
        },
    )

    /** Expects the answer that the contract prescribes, unless the experiment expects something else. */
    private fun checked(request: Request): Request {
        if (!keepsContract || request.method != "GET" || request.expect != Expectation()) return request
        return request.copy(expect = Expectation(body = HttpContract.expectedBody(request.path)?.decodeToString()))
    }
}

/** A load during which the target was observed; its parts are those of [threadgauge.model.profile.Profile]. */
internal class ObservedLoad(val atMillis: Double, val windowMillis: Double, val answered: Long, val meanMicros: Double)

/** Result of an iteration of warm-up: correct answers per second, and their median service time. */
internal class WarmIteration(val perSecond: Double, val p50Micros: Double)

/**
 * Spreads a load with many connections over several source addresses: on Linux all of 127.0.0.0/8 is this machine. From
 * one address only half of the 28,000 ephemeral ports are found quickly, because the kernel reserves odd and even ports
 * for different uses and searches for the others (`__inet_hash_connect` of Linux).
 */
internal fun fromEnoughAddresses(situation: Situation, linux: Boolean = File("/proc/sys/net").exists()): Connections {
    val connections = situation.connections
    val addresses = (situation.maxConnections + PORTS_OF_AN_ADDRESS - 1) / PORTS_OF_AN_ADDRESS
    if (!linux || connections.sources.isNotEmpty() || addresses < 2) return connections
    return connections.copy(sources = (1..addresses).map { "127.0.0.$it" })
}

/** The lead-in of a slice leaves time to start the probes. */
private const val SLICE_LEAD_NANOS = 2_000_000L
private const val PORTS_OF_AN_ADDRESS = 14_000

/** The shortest load of a single user: one request, and more if the answers come sooner. */
private const val ALONE_NANOS = 200_000_000L

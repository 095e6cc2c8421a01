package threadgauge.run.agent

import java.nio.file.Path
import threadgauge.load.agent.Address
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.Agents
import threadgauge.load.agent.InternalServer
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.decode
import threadgauge.load.agent.summary
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentRound
import threadgauge.model.Load
import threadgauge.model.SendLag
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request
import threadgauge.run.Cancellation
import threadgauge.target.Cores

/** Warms up every agent and measures the most that one of them can do on this machine. Throws `AgentDied`. */
internal fun calibrate(agents: Agents, cores: Cores, logs: Path, cancellation: Cancellation): AgentCeiling =
    onInternalServer(agents, cores, logs, cancellation) {
        it.warmUp()
        val round = it.round(CEILING_NANOS / BRIEF_DIVISOR)
        AgentCeiling(round.requestsPerSecond, round.cpuMicrosPerRequest)
    }

/**
 * Loads the internal server on [port] with the first of [agents]. The server does the least work possible, so the agent
 * is the bottleneck. Belongs to the run's thread.
 */
internal class Calibration(private val agents: Agents, private val port: Int) {
    /** Warms up every agent: a JVM that has just started would measure its own JIT compiler. */
    fun warmUp() = agents.forEach { agent ->
        repeat(WARM_UP_STRETCHES) {
            agent.load(order(Load.Users(USERS, WARM_UP_NANOS / BRIEF_DIVISOR))) {}
            Thread.sleep(PAUSE_MILLIS / BRIEF_DIVISOR)
        }
    }

    /** As many requests as the agent can send and have answered in [nanos]. */
    fun round(nanos: Long): AgentRound = roundOf(load(Load.Users(USERS, nanos)))

    /** The same as a slice of a round: [leadInNanos] of load, which do not count, precede the [nanos] that do. */
    fun slice(nanos: Long, leadInNanos: Long): AgentRound {
        val order = order(Load.Users(USERS, nanos + leadInNanos))
        return roundOf(agents.first().load(order.copy(leadNanos = 0, leadInNanos = leadInNanos)) {})
    }

    /** How late requests leave under an open load well below the agent's limit. */
    fun sendLag(ratePerSecond: Double, nanos: Long): SendLag {
        val done = load(Load.Rate(ratePerSecond, nanos))
        val delay = summary(decode(done.sendDelay))
        return SendLag(ratePerSecond, delay, done.health.loopLagMicrosMax, done.health.quantumMicros, failed(done))
    }

    private fun load(load: Load): AgentMessage.Done = agents.first().load(order(load)) {}

    private fun order(load: Load) = WorkOrder(
        id = 0,
        load = load,
        request = Request(path = "/hello", expect = Expectation(body = InternalServer.BODY)),
        targets = listOf(Address("127.0.0.1", port)),
    )
}

private fun roundOf(done: AgentMessage.Done) =
    AgentRound(done.perSecond, done.health.cpuMillis * 1e3 / maxOf(1, done.answered), failed(done))

/** Requests without a correct answer. */
private fun failed(done: AgentMessage.Done) = done.failures.values.sum() + done.unfinished + done.unsent

/** Divides the durations of the calibration. Tests of commands set it to 4, because nobody reads their figures. */
internal val BRIEF_DIVISOR = if (System.getProperty("threadgauge.briefly").toBoolean()) 4 else 1

/** The agent's rate stops rising after two of these loads; the third is a reserve. */
private const val WARM_UP_STRETCHES = 3
private const val WARM_UP_NANOS = 800_000_000L
private const val PAUSE_MILLIS = 200L
private const val CEILING_NANOS = 1_000_000_000L
private const val USERS = 50

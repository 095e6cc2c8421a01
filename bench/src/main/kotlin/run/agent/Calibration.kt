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
import threadgauge.model.Expectation
import threadgauge.model.Load
import threadgauge.model.Request
import threadgauge.model.SendLag
import threadgauge.run.Cancellation
import threadgauge.target.Cores

/** Warms every agent up and finds out the most that one can do here. */
internal fun calibrate(agents: Agents, cores: Cores, logs: Path, cancellation: Cancellation): AgentCeiling =
    onInternalServer(agents, cores, logs, cancellation) {
        it.warmUp()
        val round = it.round(CEILING_NANOS / BRIEF_DIVISOR)
        AgentCeiling(round.requestsPerSecond, round.cpuMicrosPerRequest)
    }

/**
 * The first of [agents] against the internal server, which listens on [port] and does nothing. Belongs to the run's
 * thread.
 */
internal class Calibration(private val agents: Agents, private val port: Int) {
    /** A Java that has just started would otherwise measure its own compiler. */
    fun warmUp() = agents.forEach { agent ->
        repeat(WARM_UP_STRETCHES) {
            agent.load(order(Load.Users(USERS, WARM_UP_NANOS / BRIEF_DIVISOR))) {}
            Thread.sleep(PAUSE_MILLIS / BRIEF_DIVISOR)
        }
    }

    /** As many requests as the agent can send and have answered in [nanos]. */
    fun round(nanos: Long): AgentRound = roundOf(load(Load.Users(USERS, nanos)))

    /** The same as a slice of a round: [leadInNanos] of load come before the [nanos] that count. */
    fun slice(nanos: Long, leadInNanos: Long): AgentRound {
        val order = order(Load.Users(USERS, nanos + leadInNanos))
        return roundOf(agents.first().load(order.copy(leadNanos = 0, leadInNanos = leadInNanos)) {})
    }

    /** An open load, which the agent could do many times over: how late do its requests leave? */
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

private fun failed(done: AgentMessage.Done) = done.failures.values.sum() + done.unfinished + done.unsent

/** Set by the tests of commands, whose figures nobody reads: then a quarter of the time must do. */
internal val BRIEF_DIVISOR = if (System.getProperty("threadgauge.briefly").toBoolean()) 4 else 1

/** After two of these stretches the agent's rate no longer rises here; three, to be sure. */
private const val WARM_UP_STRETCHES = 3
private const val WARM_UP_NANOS = 800_000_000L
private const val PAUSE_MILLIS = 200L
private const val CEILING_NANOS = 1_000_000_000L
private const val USERS = 50

package threadgauge.load.agent.link

import java.io.IOException
import threadgauge.model.ClockOffset
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/** The way to one agent: lines of JSON in both directions. The agent ends when it is closed, by whatever means. */
interface AgentLink : AutoCloseable {
    /** Its process on this machine; null for an agent of another machine. */
    val pid: Long?

    /** How it was started; empty if that was not done here. */
    val command: List<String>

    /** How its clocks differ from ours; null where they are the same. */
    val clock: ClockOffset?

    /** Sends [line], which has no line break. For one thread. Throws [IOException] if the agent is gone. */
    fun send(line: String)

    /** The agent's next line; null if it has ended. For one thread, which may be another than that of [send]. */
    fun receive(): String?

    /** Why [receive] returned null. */
    fun ended(): AgentFault

    /** What the user is told when the agent cannot be used because of [fault]. */
    fun failure(fault: AgentFault): Failure

    /** Measures [clock] anew; the agent must be idle. Does nothing where the clocks are the same. */
    fun compareClocks() = Unit

    /** May be called from any thread, and more than once. */
    override fun close()
}

/** An agent has ended, or is unusable. What it measured since its last order is lost. */
class AgentDied(failure: Failure) : Failed(failure)

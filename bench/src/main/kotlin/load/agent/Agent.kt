package threadgauge.load.agent

import java.io.IOException
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread
import threadgauge.load.agent.link.AgentDied
import threadgauge.load.agent.link.AgentLink
import threadgauge.model.ClockOffset
import threadgauge.model.failure.AgentFault

/**
 * The coordinator's side of an agent, which is reached by [link]: sends it orders and passes on its messages.
 *
 * For one thread at a time; [close] may be called from any.
 */
class Agent(private val link: AgentLink) : AutoCloseable {
    /** Its process on this machine; null for one of another machine. */
    val pid: Long? get() = link.pid
    val command: List<String> get() = link.command
    val clock: ClockOffset? get() = link.clock
    private val messages = LinkedBlockingQueue<Result<AgentMessage>>()
    private var orders = 0

    init {
        thread(name = "agent-messages", isDaemon = true) {
            try {
                for (line in generateSequence(link::receive)) {
                    messages.put(Result.success(agentJson.decodeFromString(AgentMessage.serializer(), line)))
                }
            } catch (failure: Exception) {
                messages.put(Result.failure(died(AgentFault.Unreadable(failure.message))))
            }
            messages.put(Result.failure(died(link.ended())))
        }
    }

    /** Waits until the agent accepts orders; returns its process id. Throws [AgentDied] if it ends instead. */
    fun awaitReady(): Long = (next() as AgentMessage.Ready).pid

    /**
     * Sends [order], under a number of its own, and waits until it has been carried out. [hear] gets every message of
     * it, in order, on this thread. If [hear] throws, waiting ends; the remaining messages of this order are skipped by
     * the next call. Throws [AgentDied] if the agent ends, or refuses the order.
     */
    fun load(order: WorkOrder, hear: (AgentMessage) -> Unit): AgentMessage.Done {
        val number = ++orders
        give(order.copy(id = number))
        while (true) {
            val message = next().inOurTime()
            if (message.isOfAnEarlierOrder(number)) continue
            hear(message)
            if (message is AgentMessage.Done) return message
            if (message is AgentMessage.Refused) throw died(AgentFault.Refused(message.why))
        }
    }

    /** Sends [order] as it is, and does not wait. Throws [AgentDied] if the agent accepts none. */
    fun give(order: WorkOrder) = try {
        link.send(lineOf(order))
    } catch (failure: IOException) {
        throw died(AgentFault.TakesNoOrders(failure.message))
    }

    /** The next message, of whatever order. Throws [AgentDied] if the agent has ended. */
    fun next(): AgentMessage = messages.take().onFailure { messages.put(Result.failure(it)) }.getOrThrow()

    /** Measures anew how its clock differs; it must be idle. Throws [AgentDied]. */
    fun compareClocks() = link.compareClocks()

    /** Ends the agent. */
    override fun close() = link.close()

    /** False for an order that the agent could not read, which has the number 0. */
    private fun AgentMessage.isOfAnEarlierOrder(number: Int) = order.let { it != null && it in 1..<number }

    private fun AgentMessage.inOurTime(): AgentMessage {
        val clock = link.clock
        return if (clock == null || this !is AgentMessage.Started) this
        else copy(startNanos = startNanos - clock.monotonicNanos)
    }

    private fun died(fault: AgentFault) = AgentDied(link.failure(fault))
}

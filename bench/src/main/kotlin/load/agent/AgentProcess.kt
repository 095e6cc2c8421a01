package threadgauge.load.agent

import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/**
 * The coordinator's side of an agent: starts the process, sends it orders and passes on its messages. The agent ends
 * when this side closes its standard input, also by dying, so it is never left behind. [inherits] is its whole
 * environment.
 *
 * For one thread at a time; [close] may be called from any.
 */
class AgentProcess(val command: List<String>, val log: Path, inherits: Map<String, String>) : AutoCloseable {
    private val process = ProcessBuilder(command).redirectError(log.toFile())
        .apply { environment().run { clear(); putAll(inherits) } }.start()

    /** Process id of the agent: the shell and `taskset` in front of it replace themselves with it. */
    val pid: Long get() = process.pid()
    private val input = process.outputStream.bufferedWriter()
    private val messages = LinkedBlockingQueue<Result<AgentMessage>>()
    private var orders = 0

    init {
        thread(name = "agent-messages", isDaemon = true) {
            try {
                process.inputReader().forEachLine {
                    messages.put(Result.success(agentJson.decodeFromString(AgentMessage.serializer(), it)))
                }
            } catch (failure: Exception) {
                messages.put(Result.failure(died(AgentFault.Unreadable(failure.message))))
            }
            messages.put(Result.failure(died(AgentFault.Ended(process.waitFor()))))
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
        try {
            input.write(agentJson.encodeToString(WorkOrder.serializer(), order.copy(id = number)) + "\n")
            input.flush()
        } catch (failure: IOException) {
            throw died(AgentFault.TakesNoOrders(failure.message))
        }
        while (true) {
            val message = next()
            if (message.isOfAnEarlierOrder(number)) continue
            hear(message)
            if (message is AgentMessage.Done) return message
            if (message is AgentMessage.Refused) throw died(AgentFault.Refused(message.why))
        }
    }

    /** Ends the agent; kills it if it has not ended within two seconds. */
    override fun close() {
        runCatching { input.close() }
        if (!process.waitFor(2, java.util.concurrent.TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
    }

    /** False for an order that the agent could not read, which has the number 0. */
    private fun AgentMessage.isOfAnEarlierOrder(number: Int) = order.let { it != null && it in 1..<number }

    private fun next(): AgentMessage = messages.take().onFailure { messages.put(Result.failure(it)) }.getOrThrow()

    private fun died(fault: AgentFault) = AgentDied(fault, log)
}

/** The agent has ended, or is unusable. What it measured since its last order is lost. */
class AgentDied(fault: AgentFault, log: Path) : Failed(Failure.Agent(fault, "$log"))

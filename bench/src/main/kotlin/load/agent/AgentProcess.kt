package threadgauge.load.agent

import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread
import threadgauge.model.failure.AgentFault
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/**
 * The coordinator's side of an agent: starts the process, hands it orders and passes on what it says. The agent ends
 * when this side closes its standard input, also by dying, so it is never left over. [inherits] is all that it sees of
 * the environment.
 *
 * For one thread at a time; [close] may come from any.
 */
class AgentProcess(val command: List<String>, val log: Path, inherits: Map<String, String>) : AutoCloseable {
    private val process = ProcessBuilder(command).redirectError(log.toFile())
        .apply { environment().run { clear(); putAll(inherits) } }.start()

    /** The shell and `taskset` in front of the agent become it, so its number is theirs. */
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

    /** Waits until the agent listens; gives back its process id. Throws [AgentDied] if it ends instead. */
    fun awaitReady(): Long = (next() as AgentMessage.Ready).pid

    /**
     * Carries out [order], under a number of its own, and returns when it is done. [hear] gets every message on this
     * thread, in order, the last one too; what it throws ends the waiting, and what is still said of this order is
     * passed over by the next. Throws [AgentDied] if the agent ends, or refuses the order.
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

    override fun close() {
        runCatching { input.close() }
        if (!process.waitFor(2, java.util.concurrent.TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
    }

    /** An order that the agent could not read has no number. */
    private fun AgentMessage.isOfAnEarlierOrder(number: Int) = order.let { it != null && it in 1..<number }

    private fun next(): AgentMessage = messages.take().onFailure { messages.put(Result.failure(it)) }.getOrThrow()

    private fun died(fault: AgentFault) = AgentDied(fault, log)
}

/** The agent is gone; what it measured since its last order is lost. */
class AgentDied(fault: AgentFault, log: Path) : Failed(Failure.Agent(fault, "$log"))

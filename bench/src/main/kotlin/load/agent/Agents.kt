package threadgauge.load.agent

import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

/**
 * One or more agents on this machine that carry out each order together, every one its slice. Several are needed where
 * one process may not hold enough connections.
 *
 * For one thread at a time; [close] may come from any.
 */
class Agents(private val members: List<AgentProcess>) : AutoCloseable {
    val size get() = members.size
    val pids: List<Long> get() = members.map { it.pid }
    val command: List<String> get() = members.first().command

    /** Throws [AgentDied] if one ends instead. */
    fun awaitReady() = members.forEach { it.awaitReady() }

    /** One agent alone. */
    fun first() = Agents(members.take(1))

    /** Each agent alone: for what has to be done to all of them. */
    fun forEach(what: (Agents) -> Unit) = members.forEach { what(Agents(listOf(it))) }

    /**
     * Carries out [order] and returns what all of it came to. [hear] gets the messages of all agents, one at a time:
     * the first [AgentMessage.Started] alone, no [AgentMessage.Done], and the rest as they come. Throws [AgentDied] if
     * any agent ends.
     */
    fun load(order: WorkOrder, hear: (AgentMessage) -> Unit): AgentMessage.Done {
        if (size == 1) return members.single().load(order) { if (it !is AgentMessage.Done) hear(it) }
        val start = Instant.now().plusNanos(order.leadNanos + nanosToConnect(order))
        val lock = Any()
        var started = false
        val parts = members.mapIndexed { index, member ->
            val slice = order.copy(slice = index, slices = size, startAtEpochNanos = start.epochNanos)
            CompletableFuture.supplyAsync({
                member.load(slice) { message ->
                    synchronized(lock) {
                        if (message is AgentMessage.Done || message is AgentMessage.Started && started) {
                            return@synchronized
                        }
                        if (message is AgentMessage.Started) started = true
                        hear(message)
                    }
                }
            }, { Thread.ofVirtual().start(it) })
        }
        return merge(parts.map { it.result() })
    }

    override fun close() = members.forEach { it.close() }

    private fun CompletableFuture<AgentMessage.Done>.result() = try {
        get()
    } catch (failed: ExecutionException) {
        throw failed.cause ?: failed
    }

    /** Time after which every agent has its connections open, with some to spare. */
    private fun nanosToConnect(order: WorkOrder): Long {
        val each = loopTask(order.copy(slice = 0, slices = size), 0, 1).connectFirst // no slice has more than the first
        return if (order.connections.atOnce) SPARE_NANOS else (each * 1.3 / CONNECTIONS_PER_NANO).toLong() + SPARE_NANOS
    }
}

private const val SPARE_NANOS = 1_000_000_000L

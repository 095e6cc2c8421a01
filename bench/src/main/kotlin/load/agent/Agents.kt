package threadgauge.load.agent

import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.ExecutionException

/**
 * One or more agents on this machine that carry out each order together, each one slice of it. Several are needed if a
 * single process cannot hold enough connections.
 *
 * For one thread at a time; [close] may be called from any.
 */
class Agents(private val members: List<AgentProcess>) : AutoCloseable {
    val size get() = members.size
    val pids: List<Long> get() = members.map { it.pid }
    val command: List<String> get() = members.first().command

    /** Waits until all accept orders. Throws [AgentDied] if one ends instead. */
    fun awaitReady() = members.forEach { it.awaitReady() }

    /** The first agent alone. */
    fun first() = Agents(members.take(1))

    /** Calls [what] with each agent alone, one after the other. */
    fun forEach(what: (Agents) -> Unit) = members.forEach { what(Agents(listOf(it))) }

    /**
     * Carries out [order] and returns the result of the whole load. [hear] gets the messages of all agents, one at a
     * time and from several threads: only the first [AgentMessage.Started], no [AgentMessage.Done], and the others as
     * they come. Throws [AgentDied] if an agent ends.
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
        return merge(results(parts))
    }

    override fun close() = members.forEach { it.close() }

    /** Of all [parts], or the failure of the first that fails, while others may still be loading. */
    private fun results(parts: List<CompletableFuture<AgentMessage.Done>>): List<AgentMessage.Done> {
        val ended = CompletableFuture.allOf(*parts.toTypedArray())
        parts.forEach { part -> part.whenComplete { _, failure -> failure?.let(ended::completeExceptionally) } }
        try {
            ended.get()
        } catch (failed: ExecutionException) {
            throw generateSequence<Throwable>(failed) { it.cause }
                .first { it !is ExecutionException && it !is CompletionException }
        }
        return parts.map { it.join() }
    }

    /** Time after which every agent has its connections open: 1.3 times what the pace takes, and a second. */
    private fun nanosToConnect(order: WorkOrder): Long {
        val each = loopTask(order.copy(slice = 0, slices = size), 0, 1).connectFirst // no slice has more than the first
        return if (order.connections.atOnce) SPARE_NANOS else (each * 1.3 / CONNECTIONS_PER_NANO).toLong() + SPARE_NANOS
    }
}

private const val SPARE_NANOS = 1_000_000_000L

package threadgauge.load.agent

import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.ExecutionException
import threadgauge.load.agent.link.AgentDied
import threadgauge.model.WhenLost

/**
 * One or more agents that carry out each order together, each one slice of it. Several are needed if a single process
 * cannot hold enough connections, or a single machine is too slow.
 *
 * For one thread at a time; [close] may be called from any.
 */
class Agents(agents: List<Agent>, private val whenLost: WhenLost = WhenLost.STOP) : AutoCloseable {
    private val all = agents

    /** Without those that were lost. */
    private var members = agents

    /** How many there are, without those that were lost. */
    val size get() = members.size

    /** Of those on this machine. */
    val pids: List<Long> get() = members.mapNotNull { it.pid }
    val command: List<String> get() = all.first().command

    /** Waits until all accept orders. Throws [AgentDied] if one ends instead. */
    fun awaitReady() = members.forEach { it.awaitReady() }

    /** The first agent. */
    val first: Agent get() = members.first()

    /** The first agent alone. */
    fun first() = Agents(members.take(1))

    /** Calls [what] with each agent alone, one after the other. */
    fun forEach(what: (Agents) -> Unit) = members.forEach { what(Agents(listOf(it))) }

    /**
     * Measures anew how the clocks of other machines differ. Throws [AgentDied]; with [WhenLost.GO_ON] the next load
     * finds out who is lost.
     */
    fun compareClocks() = members.forEach {
        try {
            it.compareClocks()
        } catch (died: AgentDied) {
            if (whenLost == WhenLost.STOP) throw died
        }
    }

    /**
     * Carries out [order] and returns the result of the whole load. [hear] gets the messages of all agents, one at a
     * time and from several threads: only the first [AgentMessage.Started], no [AgentMessage.Done], and the others as
     * they come.
     *
     * Throws [AgentDied] if an agent ends; with [WhenLost.GO_ON] only if all have. Then the result is that of the
     * others, and says which share is missing, and from the next load on the others share all of it.
     */
    fun load(order: WorkOrder, hear: (AgentMessage) -> Unit): AgentMessage.Done {
        // What an agent says of its start arrives half a round trip later, and must still be in time.
        val timely = order.copy(leadNanos = order.leadNanos + members.maxOf { it.clock?.longestNanos ?: 0 })
        if (size == 1) return first.load(timely) { if (it !is AgentMessage.Done) hear(it) }
        val start = Instant.now().plusNanos(timely.leadNanos + nanosToConnect(timely)).epochNanos
        val lock = Any()
        var started = false
        val parts = members.mapIndexed { index, member ->
            val startThere = start + (member.clock?.aheadNanos ?: 0)
            val slice = timely.copy(slice = index, slices = size, startAtEpochNanos = startThere)
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
        return if (whenLost == WhenLost.STOP) merge(results(parts)) else resultsOfTheOthers(parts)
    }

    override fun close() = all.forEach { it.close() }

    /** Of all [parts], or the failure of the first that fails, while others may still be loading. */
    private fun results(parts: List<CompletableFuture<AgentMessage.Done>>): List<AgentMessage.Done> {
        val ended = CompletableFuture.allOf(*parts.toTypedArray())
        parts.forEach { part -> part.whenComplete { _, failure -> failure?.let(ended::completeExceptionally) } }
        try {
            ended.get()
        } catch (failed: ExecutionException) {
            throw reason(failed)
        }
        return parts.map { it.join() }
    }

    /** Waits for all [parts]; those of agents that died are missing. */
    private fun resultsOfTheOthers(parts: List<CompletableFuture<AgentMessage.Done>>): AgentMessage.Done {
        val ends = parts.map { part ->
            try {
                Result.success(part.get())
            } catch (failed: ExecutionException) {
                Result.failure(reason(failed))
            }
        }
        ends.mapNotNull { it.exceptionOrNull() }.firstOrNull { it !is AgentDied }?.let { throw it }
        val alive = members.filterIndexed { index, _ -> ends[index].isSuccess }
        if (alive.isEmpty()) ends.first().getOrThrow()
        val missing = 1 - alive.size.toDouble() / members.size
        members.filter { it !in alive }.forEach { it.close() }
        members = alive
        return merge(ends.mapNotNull { it.getOrNull() }).copy(missingShare = missing)
    }

    private fun reason(failed: ExecutionException): Throwable = generateSequence<Throwable>(failed) { it.cause }
        .first { it !is ExecutionException && it !is CompletionException }

    /** Time after which every agent has its connections open: 1.3 times what the pace takes, and a second. */
    private fun nanosToConnect(order: WorkOrder): Long {
        val each = loopTask(order.copy(slice = 0, slices = size), 0, 1).connectFirst // no slice has more than the first
        return if (order.connections.atOnce) SPARE_NANOS else (each * 1.3 / CONNECTIONS_PER_NANO).toLong() + SPARE_NANOS
    }
}

private const val SPARE_NANOS = 1_000_000_000L

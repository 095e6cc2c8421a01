package threadgauge.run.agent

import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.bufferedWriter
import kotlin.io.path.createDirectories
import threadgauge.load.agent.AgentMessage
import threadgauge.load.agent.BadSlices
import threadgauge.load.agent.LoadSeries
import threadgauge.load.agent.SliceFile
import threadgauge.load.agent.WorkOrder
import threadgauge.load.agent.decode
import threadgauge.load.agent.epochNanos
import threadgauge.load.agent.lineOf
import threadgauge.load.agent.merge
import threadgauge.load.agent.readOrder
import threadgauge.load.agent.summary
import threadgauge.load.agent.verifyWhole
import threadgauge.model.Counts
import threadgauge.model.LoadResult
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.words
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.RunFailed
import threadgauge.run.forTheUser
import threadgauge.target.Cores

/**
 * One agent's share of a load, without a coordinator: an order in, a file of what the agent said out. The same order
 * with other slices may be carried out on other machines; [mergeSlices] puts the files together.
 */
class SliceRun(private val order: WorkOrder, private val folder: Path, private val cancellation: Cancellation) {
    /** Where the slice is written. */
    val file: Path = folder.resolve(SliceFile.nameOf(order))
    val isWhole get() = order.slices == 1

    /** Where the load would go: names of hosts, or addresses that the order gives in their place. */
    val hosts: Set<String> get() = order.targets.map { it.ip ?: it.host }.toSet()

    /**
     * Warms an agent up and has it carry the order out. [hear] is told of each second: number, requests under way,
     * answers and failures so far. Throws [Cancelled] and [RunFailed].
     */
    fun load(hear: (second: Int, active: Int, answered: Long, failed: Long) -> Unit) {
        folder.createDirectories()
        try {
            file.bufferedWriter().use { out ->
                out.appendLine(lineOf(order))
                // The target may be elsewhere, so nothing is pinned; one core is left to the system.
                val loops = maxOf(1, Runtime.getRuntime().availableProcessors() - 1)
                cancellation.using(startAgents(1, Cores(emptyList(), emptyList()), folder, loops)) { agents ->
                    agents.awaitReady()
                    calibrate(agents, Cores(emptyList(), emptyList()), folder, cancellation)
                    val done = agents.load(order) { message ->
                        out.appendLine(lineOf(message))
                        if (message is AgentMessage.Pulse) {
                            hear(message.second, message.active, message.answered, message.failed)
                        }
                    }
                    out.appendLine(lineOf(done))
                }
            }
        } catch (failure: Exception) {
            if (cancellation.isCancelled) throw Cancelled()
            throw failure.forTheUser()
        }
    }

    companion object {
        /**
         * Reads [orderFile]; [slice] of [slices] and [startAt], where given, replace what it says. Throws [BadOrder].
         */
        fun of(
            orderFile: Path,
            slice: Int?,
            slices: Int?,
            startAt: Instant?,
            folder: Path,
            cancellation: Cancellation,
        ): SliceRun {
            val order = told { readOrder(orderFile) }
            val mine = order.copy(
                slice = slice ?: order.slice,
                slices = slices ?: order.slices,
                startAtEpochNanos = startAt?.epochNanos ?: order.startAtEpochNanos,
            )
            return SliceRun(mine, folder, cancellation)
        }
    }
}

/** What all slices in [files] came to; their latencies, second by second, are written to [log]. Throws [BadOrder]. */
fun mergeSlices(files: List<Path>, log: Path): LoadResult {
    val slices = told { files.map(SliceFile::read).also(::verifyWhole) }
    val series = LoadSeries()
    slices.forEach { it.messages.forEach(series::hear) }
    val done = merge(slices.map { it.done })
    val startNanos = slices.first().messages.filterIsInstance<AgentMessage.Started>().firstOrNull()?.startNanos ?: 0
    series.writeLog(log, startNanos)
    val order = slices.first().order
    return LoadResult(
        load = order.load.words(),
        request = "${order.request.method} ${order.request.path}",
        slices = slices.size,
        windowMillis = done.windowNanos / 1e6,
        counts = countsOf(done),
        answeredInWindow = done.answeredInWindow,
        latency = summary(series.latency()),
        serviceTime = summary(decode(done.serviceTime)),
        sendDelay = summary(decode(done.sendDelay)),
        received = done.received,
        counted = done.counted,
        tls = done.tls,
        seconds = series.seconds(),
        agent = done.health,
    )
}

internal fun countsOf(done: AgentMessage.Done) = Counts(
    scheduled = done.scheduled,
    sent = done.sent,
    answered = done.answered,
    unsent = done.unsent,
    unfinished = done.unfinished,
    failures = done.failures,
    connectionsOpened = done.connectionsOpened,
    repeated = done.repeated,
)

/** An order, or slices, that cannot be used. [why] is what the load agent's part said. */
class BadOrder(why: String) : Failed(Failure.Order(why))

private fun <T> told(read: () -> T): T = try {
    read()
} catch (wrong: BadSlices) {
    throw BadOrder(wrong.message.orEmpty())
}

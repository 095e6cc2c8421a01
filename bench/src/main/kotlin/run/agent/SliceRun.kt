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
import threadgauge.model.request.words
import threadgauge.model.words
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.RunFailed
import threadgauge.run.forTheUser

/**
 * Carries out one agent's slice of a load without a coordinator: it reads a work order and writes the agent's messages
 * to a file. Other machines can carry out other slices of the same order; [mergeSlices] combines the files. For one
 * thread.
 */
class SliceRun(private val order: WorkOrder, private val folder: Path, private val cancellation: Cancellation) {
    /** The file that [load] writes. */
    val file: Path = folder.resolve(SliceFile.nameOf(order))

    /** True if this slice is the whole load. */
    val isWhole get() = order.slices == 1

    /** Hosts that receive the load: names, or the IP addresses that the order gives for them. */
    val hosts: Set<String> get() = order.targets.map { it.ip ?: it.host }.toSet()

    /**
     * Starts and warms up an agent, and has it carry out the order. [hear] is called once a second, with the number of
     * the second, the requests under way, and the answers and failures so far. Throws [Cancelled] and [RunFailed].
     */
    fun load(hear: (second: Int, active: Int, answered: Long, failed: Long) -> Unit) {
        folder.createDirectories()
        try {
            file.bufferedWriter().use { out ->
                out.appendLine(lineOf(order))
                withLoneAgent(folder, cancellation) { agents ->
                    calibrate(agents, NO_CORES, folder, cancellation)
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
         * Reads the order in [orderFile]. [slice], [slices] and [startAt] replace what the order says, if given. The
         * result is written to [folder]. Throws [BadOrder].
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

/**
 * The result of the whole load that [files] are the slices of. Writes the latencies, second by second, to [log]. Throws
 * [BadOrder] if a slice is missing, incomplete, given twice or of another load.
 */
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

/** The part of [done] that a record keeps as counts. */
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

/** An order, or slices, that cannot be used; [why] says so to the user. */
class BadOrder(why: String) : Failed(Failure.Order(why))

private fun <T> told(read: () -> T): T = try {
    read()
} catch (wrong: BadSlices) {
    throw BadOrder(wrong.message.orEmpty())
}

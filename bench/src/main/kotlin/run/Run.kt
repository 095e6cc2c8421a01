package threadgauge.run

import threadgauge.load.agent.AgentDied
import threadgauge.model.Environment
import threadgauge.model.Plan
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.probe.MachineProbe
import threadgauge.target.Cores
import threadgauge.target.moveToCores
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Carries out [plan] and keeps what it saw in [folder]. This is the only place that knows the order of things:
 * agent → for each turn: start → verify → warm up → measure → stop. Judging and reporting come later, from the record alone.
 *
 * Whatever goes wrong, every process is stopped, and the record so far is on disk and says why it ended.
 */
class Run(
    private val plan: Plan,
    private val folder: RecordFolder,
    private val cancellation: Cancellation,
    private val listener: RunListener,
) {
    private val cores = Cores.ofThisMachine
    private val machine = MachineProbe()
    private val estimate = Estimate(plan)

    fun carryOut(): Record {
        folder.create()
        val book = RecordBook(folder, plan, environmentOf(machine, cores))
        listener(RunEvent.Planned(plan, folder.path, estimate.whole))
        moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
        try {
            val needed = agentsNeeded(plan.experiment.situations, machine.fileLimit)
            cancellation.using(startAgents(needed, cores, folder.logs)) { agents ->
                agents.awaitReady()
                val ceiling = calibrate(agents, cores, folder.logs, cancellation)
                book.calibrated(book.record.environment.copy(agentCommand = agents.command, agents = agents.size, agentCeiling = ceiling))
                listener(RunEvent.AgentCalibrated(ceiling))
                val turns = TurnRunner(plan, agents, cores, machine, folder, book, cancellation, listener)
                plan.turns.forEachIndexed { index, turn ->
                    cancellation.check()
                    listener(RunEvent.TurnStarted(index, plan.turns.size, turn, estimate.left(index)))
                    val startNanos = System.nanoTime()
                    turns.run(turn)
                    val took = (System.nanoTime() - startNanos).nanoseconds
                    estimate.took(took)
                    listener(RunEvent.TurnEnded(turn, took))
                }
            }
            book.end(RunState.COMPLETE)
        } catch (failure: Exception) {
            end(book, failure)
        }
        return book.record
    }

    private fun end(book: RecordBook, failure: Exception) {
        if (cancellation.isCancelled) return book.end(RunState.INTERRUPTED, BY_THE_USER)
        try {
            book.end(RunState.FAILED, failure.message ?: failure.toString())
        } catch (second: RecordNotWritten) {
            failure.addSuppressed(second)
        }
        throw if (failure is AgentDied) RunFailed("${failure.message}\nThe record so far: ${folder.path}", failure) else failure
    }

    private fun environmentOf(machine: MachineProbe, cores: Cores) = Environment(
        threadgauge = VERSION,
        cpu = machine.cpu,
        cores = if (cores.pinned) cores.target.size + cores.agent.size else machine.cores,
        memoryBytes = machine.memoryBytes,
        operatingSystem = machine.operatingSystem,
        kernel = machine.kernel,
        java = machine.java,
        fileLimit = machine.fileLimit,
        busyBefore = machine.busyShare(millis = 500),
        targetCores = cores.target,
        agentCores = cores.agent,
        settings = machine.settings(),
    )
}

/** A run that something outside ended; the message is for the user. */
class RunFailed(message: String, cause: Throwable) : Exception(message, cause)

const val VERSION = "0.1.0"

package threadgauge.run

import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.load.agent.AgentDied
import threadgauge.model.Environment
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.plan.Estimate
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.run.agent.agentsNeeded
import threadgauge.run.agent.calibrate
import threadgauge.run.agent.startAgents
import threadgauge.run.launch.ServiceDied
import threadgauge.run.launch.Services
import threadgauge.run.launch.Training
import threadgauge.run.launch.buildsOf
import threadgauge.store.RecordFolder
import threadgauge.store.RecordLock
import threadgauge.store.RecordNotWritten
import threadgauge.store.RecordWriter
import threadgauge.store.wallClock
import threadgauge.target.Cores
import threadgauge.target.TargetFailed
import threadgauge.target.moveToCores

/**
 * Carries out [plan] and keeps what it saw in [folder]. This is the only place that knows the order of things:
 * agent → services → training → for each trial: start → verify → warm up → measure → stop. Judging and reporting come
 * later, from the record alone.
 *
 * Whatever goes wrong, every process is stopped, and the record so far is on disk and says why it ended.
 */
class Run private constructor(
    private val plan: Plan,
    private val folder: RecordFolder,
    private val before: Record?,
    private val cancellation: Cancellation,
    private val listener: RunListener,
) {
    private val cores = Cores.ofThisMachine
    private val machine = MachineProbe()

    constructor(plan: Plan, folder: RecordFolder, cancellation: Cancellation, listener: RunListener) :
        this(plan, folder, null, cancellation, listener)

    /** Throws [RunFailed] when the agent fails, [RecordNotWritten], and [RecordInUse] before anything is started. */
    fun carryOut(): Record {
        folder.create()
        return RecordLock.take(folder.path).use { carryOutAlone() }
    }

    private fun carryOutAlone(): Record {
        val busy = machine.busyShare(millis = 500)
        val book = RecordWriter(folder, begun(busy))
        val trials = trialsLeft(plan, book.record.trials)
        folder.clear(trials)
        val kept = plan.trials.size - trials.size
        val estimate = Estimate(plan, trials)
        listener(RunEvent.Planned(plan, folder.path, estimate.whole, kept, busy))
        moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
        try {
            val needed = agentsNeeded(plan.experiment.situations, machine.fileLimit)
            cancellation.using(startAgents(needed, cores, folder.logs)) { agents ->
                agents.awaitReady()
                val ceiling = calibrate(agents, cores, folder.logs, cancellation)
                book.calibrated(agents.command, agents.size, ceiling)
                listener(RunEvent.AgentCalibrated(ceiling))
                cancellation.using(Services(plan.services, cores, folder.logs)) { services ->
                    services.awaitReady()
                    trained(trials, services).use { training ->
                        runTrials(trials, kept, estimate) {
                            TrialRunner(plan, agents, cores, machine, folder, book, cancellation, listener, it, services, training)
                        }
                    }
                }
            }
            book.end(RunState.COMPLETE)
        } catch (failure: Exception) {
            end(book, failure)
        }
        return book.record
    }

    private fun trained(trials: List<PlannedTrial>, services: Services): Training {
        val names = trials.mapTo(HashSet()) { it.stack }
        val training =
            Training(plan.stacks.filter { it.name in names }, services, cores, folder.logs, cancellation, listener)
        try {
            return training.also { it.train() }
        } catch (failure: Exception) {
            training.close()
            throw failure
        }
    }

    private fun runTrials(
        trials: List<PlannedTrial>,
        kept: Int,
        estimate: Estimate,
        runner: (ReferenceLoop) -> TrialRunner,
    ) =
        ReferenceLoop { thread -> moveToCores(thread, cores.target) }.use { reference ->
            val oneByOne = runner(reference)
            trials.forEachIndexed { index, planned ->
                cancellation.check()
                listener(RunEvent.TrialStarted(kept + index, plan.trials.size, planned, estimate.left(index)))
                val startNanos = System.nanoTime()
                oneByOne.run(planned)
                val took = (System.nanoTime() - startNanos).nanoseconds
                estimate.took(planned, took)
                listener(RunEvent.TrialEnded(planned, took))
            }
        }

    /** The record as it is when nothing has been started. */
    private fun begun(busy: Double?): Record {
        val at = wallClock()
        val environment = environmentOf(machine, cores, busy)
        val builds = buildsOf(plan.stacks)
        if (before != null) return carriedOn(before, environment, builds, at)
        val id = folder.path.fileName.toString()
        return Record(
            id = id, startedAt = at, state = RunState.RUNNING, plan = plan, environment = environment, builds = builds,
        )
    }

    private fun end(book: RecordWriter, failure: Exception) {
        if (cancellation.isCancelled) return book.end(RunState.INTERRUPTED, BY_THE_USER)
        try {
            book.end(RunState.FAILED, failure.message ?: failure.toString())
        } catch (second: RecordNotWritten) {
            failure.addSuppressed(second)
        }
        // A target that fails fails its trial alone; here it is a service without which nothing can be measured.
        val isForTheUser = failure is AgentDied || failure is TargetFailed || failure is ServiceDied
        throw if (isForTheUser) RunFailed("${failure.message}\nThe record so far: ${folder.path}", failure) else failure
    }

    private fun environmentOf(machine: MachineProbe, cores: Cores, busy: Double?) = Environment(
        threadgauge = VERSION,
        cpu = machine.cpu,
        cores = if (cores.pinned) cores.target.size + cores.agent.size else machine.cores,
        memoryBytes = machine.memoryBytes,
        operatingSystem = machine.operatingSystem,
        kernel = machine.kernel,
        java = machine.java,
        fileLimit = machine.fileLimit,
        busyBefore = busy,
        targetCores = cores.target,
        agentCores = cores.agent,
        settings = machine.settings(),
    )

    companion object {
        /**
         * Carries on the run whose record is in [folder]: the same plan and seed; what was measured is kept, everything
         * else is measured anew. Throws what [carryOut] does, and [UnreadableRecord] or [NotResumable] before anything
         * is started or changed.
         */
        fun resume(folder: RecordFolder, cancellation: Cancellation, listener: RunListener): Record {
            folder.read() // A folder without a record must not get a lock.
            return RecordLock.take(folder.path).use {
                val before = folder.read()
                Run(before.plan, folder, before, cancellation, listener).carryOutAlone()
            }
        }
    }
}

/** A run that something outside ended; the message is for the user. */
class RunFailed(message: String, cause: Throwable) : Exception(message, cause)

const val VERSION = "0.1.0"

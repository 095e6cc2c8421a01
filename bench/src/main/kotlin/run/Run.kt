package threadgauge.run

import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.load.agent.AgentDied
import threadgauge.load.agent.Agents
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.plan.Estimate
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.run.agent.agentsNeeded
import threadgauge.run.agent.calibrate
import threadgauge.run.agent.startAgents
import threadgauge.run.launch.Services
import threadgauge.run.launch.Training
import threadgauge.store.RecordFolder
import threadgauge.store.RecordLock
import threadgauge.store.RecordNotWritten
import threadgauge.target.Cores
import threadgauge.target.ServiceFailed
import threadgauge.target.TargetFailed
import threadgauge.target.moveToCores

/**
 * Runs [plan] and keeps what it sees in [folder]. This is the only place that knows the order of things; judging and
 * reporting come later, from the record alone.
 *
 * Whatever goes wrong, every process is stopped, and the record so far is on disk and says why it ended.
 */
class Run(
    private val plan: Plan,
    private val folder: RecordFolder,
    private val cancellation: Cancellation,
    private val listener: RunListener,
) {
    /** Throws [RunFailed] when the agent fails, [RecordNotWritten], and [RecordInUse] before anything is started. */
    fun execute(): Record {
        folder.create()
        return RecordLock.take(folder.path).use { execute(before = null) }
    }

    private fun execute(before: Record?): Record {
        val machine = MachineProbe()
        val busy = machine.busyShare(BUSY_MILLIS)
        val writer = beginRecord(plan, folder, before, machine, busy)
        val context = RunContext(plan, folder, writer, Cores.ofThisMachine, machine, cancellation, listener)
        val trials = trialsLeft(plan, writer.record.trials)
        val estimate = Estimate(plan, trials)
        folder.clear(trials)
        listener(RunEvent.Planned(plan, folder.path, estimate.whole, plan.trials.size - trials.size, busy))
        try {
            context.launchSurrounding(trials) { surrounding ->
                trials.forEachIndexed { index, planned ->
                    context.tellOf(planned, index, trials.size, estimate) {
                        context.attempt(planned, surrounding) { trial ->
                            trial.launch()
                            trial.verify()
                            trial.warmUp()
                            trial.measure()
                            trial.record()
                        }
                    }
                }
            }
            writer.end(RunState.COMPLETE)
        } catch (failure: Exception) {
            context.end(failure)
        }
        return writer.record
    }

    companion object {
        /**
         * Resumes the run whose record is in [folder]: the same plan and seed; what was measured is kept, everything
         * else is measured anew. [prepare] gets the plan before anything else is done. Throws what [execute] does, and
         * [UnreadableRecord] or [NotResumable] before anything is started or changed.
         */
        fun resume(
            folder: RecordFolder,
            cancellation: Cancellation,
            listener: RunListener,
            prepare: (Plan) -> Unit = {},
        ): Record {
            folder.mustExist() // A folder without a record must not get a lock.
            return RecordLock.take(folder.path).use {
                val before = folder.read()
                prepare(before.plan)
                Run(before.plan, folder, cancellation, listener).execute(before)
            }
        }

        private const val BUSY_MILLIS = 500L
    }
}

/** Launches agents, then services, then what stacks learn before their first start, and stops them after [block]. */
private fun RunContext.launchSurrounding(trials: List<PlannedTrial>, block: (Surrounding) -> Unit) {
    moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
    val count = agentsNeeded(plan.experiment.situations, machine.fileLimit)
    cancellation.using(startAgents(count, cores, folder.logs)) { agents ->
        calibrate(agents)
        cancellation.using(Services(plan.services, cores, folder.logs)) { services ->
            services.awaitReady()
            val names = trials.mapTo(HashSet()) { it.stack }
            Training(this, plan.stacks.filter { it.name in names }, services).use { training ->
                training.train()
                ReferenceLoop { thread -> moveToCores(thread, cores.target) }
                    .use { reference -> block(Surrounding(agents, services, training, reference)) }
            }
        }
    }
}

private fun RunContext.calibrate(agents: Agents) {
    agents.awaitReady()
    val ceiling = calibrate(agents, cores, folder.logs, cancellation)
    writer.calibrated(agents.command, agents.size, ceiling)
    tell(RunEvent.AgentCalibrated(ceiling))
}

/** Does [work] on the trial with this [index] among the [left] that are to be run, and tells of its start and end. */
private fun RunContext.tellOf(planned: PlannedTrial, index: Int, left: Int, estimate: Estimate, work: () -> Unit) {
    cancellation.check()
    val kept = plan.trials.size - left
    tell(RunEvent.TrialStarted(kept + index, plan.trials.size, planned, estimate.left(index)))
    val startNanos = System.nanoTime()
    work()
    val took = (System.nanoTime() - startNanos).nanoseconds
    estimate.took(planned, took)
    tell(RunEvent.TrialEnded(planned, took))
}

/** Writes why the run ended before its time, and throws that on unless the user has interrupted it. */
private fun RunContext.end(failure: Exception) {
    if (cancellation.isCancelled) return writer.end(RunState.INTERRUPTED)
    val why = (failure as? Failed)?.failure ?: Failure.Unforeseen(failure.toString())
    try {
        writer.end(RunState.FAILED, why)
    } catch (second: RecordNotWritten) {
        failure.addSuppressed(second)
    }
    // A target that fails fails its trial alone; here it is one without which nothing can be measured.
    throw failure.forTheUser { Failure.Run(it, "${folder.path}") }
}

/** A run, or a command like it, that something outside ended. */
class RunFailed(failure: Failure, cause: Throwable) : Failed(failure, cause)

/** The same as a failure of a whole run or command, as [told], where it is one that the user can do something about. */
internal fun Exception.forTheUser(told: (Failure) -> Failure = { it }): Exception = when (this) {
    is AgentDied, is TargetFailed, is ServiceFailed -> RunFailed(told((this as Failed).failure), this)
    else -> this
}

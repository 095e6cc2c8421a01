package threadgauge.run

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.load.agent.AgentDied
import threadgauge.load.agent.Agents
import threadgauge.model.GoalEnd
import threadgauge.model.NextStep
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
import threadgauge.target.AwakeCores
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
class Run internal constructor(
    private val plan: Plan,
    private val folder: RecordFolder,
    private val cancellation: Cancellation,
    private val listener: RunListener,
    private val control: RunControl = AS_PLANNED,
    private val machine: MachineProbe = MachineProbe(),
    private val patience: Patience = Patience(),
) {
    /** Throws [RunFailed] when the agent fails, [RecordNotWritten], and [RecordInUse] before anything is started. */
    fun execute(): Record {
        folder.create()
        return RecordLock.take(folder.path).use { execute(before = null) }
    }

    private fun execute(before: Record?): Record = PauseWatch().use { execute(before, it.watch()) }

    private fun execute(before: Record?, pauses: PauseWatch): Record {
        val busy = machine.busyShare(BUSY_MILLIS)
        val writer = beginRecord(plan, folder, before, machine, busy)
        val context = RunContext(
            plan, folder, writer, Cores.ofThisMachine, machine, cancellation, listener, pauses, patience,
        )
        val trials = trialsLeft(plan, writer.record.trials)
        val estimate = Estimate(plan, trials)
        folder.clear(trials)
        listener(RunEvent.Planned(plan, folder.path, estimate.whole, plan.trials.size - trials.size, busy))
        try {
            context.launchSurrounding(trials) { surrounding ->
                context.blocks(trials, control).forEach { planned ->
                    context.tellOf(planned.trials, estimate) {
                        context.attempt(planned, surrounding) { block ->
                            block.launch()
                            block.verify()
                            block.warmUp()
                            block.measure()
                            block.record()
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
            control: RunControl = AS_PLANNED,
            prepare: (Plan) -> Unit = {},
        ): Record {
            folder.mustExist() // A folder without a record must not get a lock.
            return RecordLock.take(folder.path).use {
                val before = folder.read()
                prepare(before.plan)
                Run(before.plan, folder, cancellation, listener, control).execute(before)
            }
        }

        private const val BUSY_MILLIS = 500L
    }
}

/**
 * Keeps the cores awake, launches agents, then services, then what stacks learn before their first start, and ends all
 * of it after [block].
 */
private fun RunContext.launchSurrounding(trials: List<PlannedTrial>, block: (Surrounding) -> Unit) {
    moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
    val count = agentsNeeded(plan.experiment.situations, machine.fileLimit)
    cancellation.using(AwakeCores.hold()) { awake ->
        writer.keptAwake(awake.areAwake)
        cancellation.using(startAgents(count, cores, folder.logs)) { agents ->
            calibrate(agents)
            launchServices(agents, trials, block)
        }
    }
}

private fun RunContext.launchServices(agents: Agents, trials: List<PlannedTrial>, block: (Surrounding) -> Unit) =
    cancellation.using(Services(plan.services, cores, folder.logs)) { services ->
        services.awaitReady()
        val names = trials.mapTo(HashSet()) { it.stack }
        Training(this, plan.stacks.filter { it.name in names }, services).use { training ->
            training.train()
            ReferenceLoop { thread -> moveToCores(thread, cores.target) }
                .use { reference -> block(Surrounding(agents, services, training, reference)) }
        }
    }

private fun RunContext.calibrate(agents: Agents) {
    agents.awaitReady()
    val ceiling = calibrate(agents, cores, folder.logs, cancellation)
    writer.calibrated(agents.command, agents.size, ceiling)
    tell(RunEvent.AgentCalibrated(ceiling))
}

/**
 * Those of [trials] that are measured together: all of one block, or each alone once a block had no room. Before each
 * block [control] says whether it is needed, and of how many rounds.
 */
private fun RunContext.blocks(trials: List<PlannedTrial>, control: RunControl) = sequence {
    for (block in trials.groupBy { it.number }.values) {
        val next = control(writer.record, elapsed())
        if (next is NextStep.End) return@sequence writer.enough(next.why)
        if (plan.isSideBySide && writer.record.inTurns == null) yield(PlannedBlock(block, next as NextStep.Block))
        // Also the block that has just found out.
        if (!plan.isSideBySide || writer.record.inTurns != null) block.forEach { yield(PlannedBlock(listOf(it))) }
    }
    if (plan.goal != null) writer.enough(GoalEnd.ALL_BLOCKS)
}

private fun RunContext.elapsed(): Duration = writer.runMillis(System.nanoTime()).milliseconds

/** Decides what a run does next, from its record and the time since its start. Called on its thread. */
typealias RunControl = (Record, Duration) -> NextStep

/** Everything that the plan has. */
private val AS_PLANNED: RunControl = { _, _ -> NextStep.Block() }

/** Trials that are measured together, as [step] says. */
internal class PlannedBlock(val trials: List<PlannedTrial>, val step: NextStep.Block = NextStep.Block())

/** Does [work] on the trials that are [planned] together, and tells of its start and end. */
private fun RunContext.tellOf(planned: List<PlannedTrial>, estimate: Estimate, work: () -> Unit) {
    cancellation.check()
    val goal = plan.goal
    val left = if (goal == null) estimate.left else goal.budgetNanos?.nanoseconds?.minus(elapsed())
    val index = plan.trials.indexOf(planned.first())
    tell(RunEvent.BlockStarted(index, plan.trials.size, planned, left?.coerceAtLeast(Duration.ZERO), goal != null))
    val startNanos = System.nanoTime()
    work()
    val took = (System.nanoTime() - startNanos).nanoseconds
    estimate.took(planned, took)
    tell(RunEvent.BlockEnded(planned, took, writer.record))
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

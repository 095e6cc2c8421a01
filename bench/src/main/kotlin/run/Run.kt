package threadgauge.run

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.nanoseconds
import threadgauge.load.agent.Agents
import threadgauge.load.agent.link.AgentDied
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentSeen
import threadgauge.model.Record
import threadgauge.model.RemoteAgents
import threadgauge.model.RunState
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.NextStep
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.plan.Estimate
import threadgauge.plan.hostsOfLoads
import threadgauge.plan.refinedMap
import threadgauge.probe.MachineProbe
import threadgauge.probe.ReferenceLoop
import threadgauge.run.agent.Fleet
import threadgauge.run.agent.agentsNeeded
import threadgauge.run.agent.calibrate
import threadgauge.run.agent.cluster.AgentJob
import threadgauge.run.agent.cluster.AgentManifests
import threadgauge.run.agent.connect
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
 * Carries out [plan] and writes what it measures to [folder]. Only this file knows the order of steps. Judging and
 * reporting come later, from the record alone.
 *
 * Whatever fails, every process is stopped, and the record so far is on disk and says why the run ended.
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
    /**
     * Runs to the end and returns the record, also after an interrupt. Throws [RunFailed] if an agent, a service or
     * another process that every trial needs fails, [RecordNotWritten], and [RecordInUse] before anything is started.
     */
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
                            block.profile()
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
         * Resumes the run whose record is in [folder], with the same plan and seed: what was measured is kept,
         * everything else is measured again. A map goes on with its search, in [moreNanos] or what is left of its time.
         * [prepare] gets the plan before anything is started. Throws what [execute] does, and [UnreadableRecord] or
         * [NotResumable] before anything is started or changed.
         */
        fun resume(
            folder: RecordFolder,
            cancellation: Cancellation,
            listener: RunListener,
            control: RunControl = AS_PLANNED,
            moreNanos: Long? = null,
            prepare: (Plan) -> Unit = {},
        ): Record {
            folder.mustExist() // A folder without a record must not get a lock.
            return RecordLock.take(folder.path).use {
                val read = folder.read()
                val before = if (read.plan.map == null) read else read.copy(plan = refinedMap(read, moreNanos))
                prepare(before.plan)
                Run(before.plan, folder, cancellation, listener, control).execute(before)
            }
        }

        private const val BUSY_MILLIS = 500L
    }
}

/**
 * Keeps idle cores awake, starts agents or connects to them, then services, then trains stacks before their first
 * start; stops all of it after [block].
 */
private fun RunContext.launchSurrounding(trials: List<PlannedTrial>, block: (Surrounding) -> Unit) {
    moveToCores(ProcessHandle.current().pid(), cores.agent, wholeProcess = true)
    cancellation.using(AwakeCores.hold()) { awake ->
        writer.keptAwake(awake.areAwake)
        val remote = plan.agents
        if (remote == null) {
            val count = agentsNeeded(plan.experiment.situations, machine.fileLimit)
            cancellation.using(startAgents(count, cores, folder.logs)) { agents ->
                agents.awaitReady()
                calibrated(agents, calibrate(agents, cores, folder.logs, cancellation))
                launchServices(agents, null, trials, block)
            }
        } else {
            withFleet(remote) { fleet ->
                calibrated(fleet.agents, fleet.ceiling, fleet.seen)
                launchServices(fleet.agents, fleet, trials, block)
            }
        }
    }
}

/** Connects to agents that somebody started, or starts them in a cluster first; leaves either after [block]. */
private fun RunContext.withFleet(remote: RemoteAgents, block: (Fleet) -> Unit) {
    val kubernetes = remote.kubernetes ?: return cancellation.using(connect(remote), block)
    val manifests = AgentManifests(kubernetes, AgentManifests.newName(), plan.hostsOfLoads())
    cancellation.using(AgentJob(kubernetes, manifests, folder.logs, cancellation)) { job ->
        val places = job.start { ready, why -> tell(RunEvent.PodsReady(ready, kubernetes.pods, why)) }
        cancellation.using(connect(remote, places, job.token), block)
    }
}

private fun RunContext.launchServices(
    agents: Agents,
    fleet: Fleet?,
    trials: List<PlannedTrial>,
    block: (Surrounding) -> Unit,
) = cancellation.using(Services(plan.services, cores, folder.logs)) { services ->
    services.awaitReady()
    val names = trials.mapTo(HashSet()) { it.stack }
    Training(this, plan.stacks.filter { it.name in names }, services).use { training ->
        training.train()
        ReferenceLoop { thread -> moveToCores(thread, cores.target) }
            .use { reference -> block(Surrounding(agents, services, training, reference, fleet)) }
    }
}

private fun RunContext.calibrated(agents: Agents, ceiling: AgentCeiling, remote: List<AgentSeen> = emptyList()) {
    writer.calibrated(agents.command, agents.size, ceiling, remote)
    tell(RunEvent.AgentCalibrated(ceiling))
}

/**
 * The [trials] in the groups that are measured together: a block, or each trial alone once a block had no room. Before
 * each block [control] decides whether it is needed, and with how many rounds.
 */
private fun RunContext.blocks(trials: List<PlannedTrial>, control: RunControl) = sequence {
    for (block in trials.groupBy { it.number }.values) {
        val next = control(writer.record, elapsed())
        if (next is NextStep.End) return@sequence writer.enough(next.why)
        if (plan.isSideBySide && writer.record.inTurns == null) yield(PlannedBlock(block, next as NextStep.Block))
        // This includes the block that has just had no room. A map needs all stacks at once.
        val isInTurns = !plan.isSideBySide || writer.record.inTurns != null && plan.map == null
        if (isInTurns) block.forEach { yield(PlannedBlock(listOf(it))) }
    }
    if (plan.goal != null) writer.enough(GoalEnd.ALL_BLOCKS)
}

/** Since the start of the run, the time before it was resumed included. */
private fun RunContext.elapsed(): Duration = writer.runMillis(System.nanoTime()).milliseconds

/**
 * Decides the next step of a run from its record and the time since its start. Called on the run's thread, before each
 * block.
 */
typealias RunControl = (Record, Duration) -> NextStep

/** Measures every block of the plan. */
private val AS_PLANNED: RunControl = { _, _ -> NextStep.Block() }

/** Trials that are measured together, with the rounds and the time limit of [step]. */
internal class PlannedBlock(val trials: List<PlannedTrial>, val step: NextStep.Block = NextStep.Block())

/** Runs [work] on the trials that are [planned] together, and reports its start and end. */
private fun RunContext.tellOf(planned: List<PlannedTrial>, estimate: Estimate, work: () -> Unit) {
    cancellation.check()
    val goal = plan.goal
    val left = if (goal == null) estimate.left else goal.budgetNanos?.nanoseconds?.minus(elapsed())
    val index = plan.trials.indexOf(planned.first())
    tell(RunEvent.BlockStarted(index, plan.trials.size, planned, left?.coerceAtLeast(Duration.ZERO), goal != null))
    val startNanos = System.nanoTime()
    work()
    val took = (System.nanoTime() - startNanos).nanoseconds
    estimate.took(planned, took, profiled(planned))
    tell(RunEvent.BlockEnded(planned, took, writer.record))
}

/** Time that profiles of the trials [planned] took, and their rehearsals. */
private fun RunContext.profiled(planned: List<PlannedTrial>): Duration = writer.record.trials
    .filter { trial -> planned.any { it.stack == trial.stack && it.number == trial.number } }
    .sumOf { trial -> trial.profiles.sumOf { it.tookMillis } + (trial.rehearsal?.tookMillis ?: 0.0) }.milliseconds

/** Records why the run ended early, and rethrows [failure] unless the user interrupted the run. */
private fun RunContext.end(failure: Exception) {
    if (cancellation.isCancelled) return writer.end(RunState.INTERRUPTED)
    val why = (failure as? Failed)?.failure ?: Failure.Unforeseen(failure.toString())
    try {
        writer.end(RunState.FAILED, why)
    } catch (second: RecordNotWritten) {
        failure.addSuppressed(second)
    }
    // A failed target ends only its own trial. One that comes here is needed by all, such as the internal server.
    throw failure.forTheUser { Failure.Run(it, "${folder.path}") }
}

/** A run, or a similar command, that ended because something it depends on failed. */
class RunFailed(failure: Failure, cause: Throwable) : Failed(failure, cause)

/**
 * A [RunFailed] for failures that the user can act on, with [told] applied to the failure; other exceptions unchanged.
 */
internal fun Exception.forTheUser(told: (Failure) -> Failure = { it }): Exception = when (this) {
    is AgentDied, is TargetFailed, is ServiceFailed -> RunFailed(told((this as Failed).failure), this)
    else -> this
}

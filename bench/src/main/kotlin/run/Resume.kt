package threadgauge.run

import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.math.roundToInt
import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.failure.ChangedFact
import threadgauge.model.failure.EnvironmentFact
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.ResumeFault
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.Resumption
import threadgauge.model.plan.UnfinishedTrial
import threadgauge.model.whyEnded
import threadgauge.model.whyFailed
import threadgauge.run.measure.KneeSearchRun
import threadgauge.store.RecordFolder

/**
 * Returns the record of a resumed run: [before], resumed at [at] (ISO 8601). Trials that were measured to their end are
 * kept; of the others only the reason stays. Throws [NotResumable] if the run is complete, or if the new part would not
 * measure the same thing: on another machine, another Java, another build.
 */
internal fun carriedOn(before: Record, now: Environment, builds: Map<String, String>, at: String): Record {
    refuseUnfit(before, now, builds)
    val left = trialsLeft(before.plan, before.trials).mapTo(HashSet()) { it.stack to it.number }
    val (kept, others) = before.trials.partition { it.stack to it.number !in left }
    val resumption = Resumption(
        at = at,
        stateBefore = before.state,
        failureBefore = before.whyEnded,
        kept = kept.size,
        thrownAway = others.map { UnfinishedTrial(it.stack, it.number, it.state, it.whyFailed) },
    )
    val busy = listOfNotNull(before.environment.busyBefore, now.busyBefore).maxOrNull()
    return before.copy(
        endedAt = null,
        state = RunState.RUNNING,
        failure = null,
        stateReason = null,
        environment = before.environment.copy(busyBefore = busy),
        trials = kept,
        builds = builds,
        resumed = before.resumed + resumption,
    )
}

/**
 * Trials of [plan] that are still to be measured, in the plan's order. The trials of a block are measured together, so
 * an incomplete block is measured again as a whole. Not in a map: its search goes on from whatever was found.
 */
internal fun trialsLeft(plan: Plan, trials: List<Trial>): List<PlannedTrial> {
    if (plan.map != null) {
        val begun = trials.filter { it.slices.isNotEmpty() }.mapTo(HashSet()) { it.number }
        return plan.trials.filter { it.number !in begun }
    }
    val measured = trials.filter { it.state == TrialState.MEASURED }.mapTo(HashSet()) { it.stack to it.number }
    return plan.blocks.filterNot { block -> block.all { it.stack to it.number in measured } }.flatten()
}

/**
 * Deletes logs, histograms and call trees that earlier attempts at [trials] left behind: logs are appended to, and
 * files of a situation that fails early would stay. Throws `RecordNotWritten`.
 */
internal fun RecordFolder.clear(trials: List<PlannedTrial>) = writing {
    profiling.toFile().deleteRecursively()
    for (planned in trials) {
        logOf(planned).deleteIfExists()
        // The probes of a knee search have names of their own, and the next search may have fewer.
        val probes = hlogOf(planned, KneeSearchRun.PROBE).substringAfterLast('/').removeSuffix(".hlog")
        val ofProbes =
            latency.takeIf { it.exists() }?.listDirectoryEntries()?.filter { it.name.startsWith(probes) }.orEmpty()
        val own = planned.situations.flatMap { listOf(hlogOf(planned, it), flames.nameOf(planned, it)) }
        (own.map(path::resolve) + ofProbes).forEach { it.deleteIfExists() }
    }
}

private fun refuseUnfit(before: Record, now: Environment, builds: Map<String, String>) {
    if (before.state == RunState.COMPLETE && before.plan.map == null) {
        val failed = before.trials.filter { it.state != TrialState.MEASURED }.map { "${it.stack} ${it.number}" }
        throw NotResumable(ResumeFault.Complete(failed))
    }
    val changed = differences(before.environment, now)
    if (changed.isNotEmpty()) throw NotResumable(ResumeFault.Changed(changed))
    val measured = before.trials.filter { it.state == TrialState.MEASURED }.mapTo(LinkedHashSet()) { it.stack }
    val gone = before.builds.keys.filter { it !in builds }
    if (gone.isNotEmpty()) throw NotResumable(ResumeFault.Gone(gone))
    val other = measured.filter { before.builds[it] != builds[it] }
    if (other.isNotEmpty()) throw NotResumable(ResumeFault.Rebuilt(other))
}

/** Facts that a figure depends on and that have changed. */
private fun differences(before: Environment, now: Environment): List<ChangedFact> =
    EnvironmentFact.entries.filter { it.of(before) != it.of(now) }
        .map { ChangedFact(it, it.of(before)?.toString(), it.of(now)?.toString()) }

private fun EnvironmentFact.of(environment: Environment): Any? = when (this) {
    EnvironmentFact.THREADGAUGE -> environment.threadgauge
    EnvironmentFact.PROCESSOR -> environment.cpu
    EnvironmentFact.CORES -> environment.cores
    EnvironmentFact.TARGET_CORES -> environment.targetCores
    EnvironmentFact.AGENT_CORES -> environment.agentCores
    EnvironmentFact.MEMORY -> (environment.memoryBytes / 1e9).roundToInt()
    EnvironmentFact.KERNEL -> environment.kernel
    EnvironmentFact.JAVA -> environment.java
    EnvironmentFact.OPEN_FILES -> environment.fileLimit
}

/** A run that cannot be resumed; nothing was started and nothing was changed. */
class NotResumable(fault: ResumeFault) : Failed(Failure.Resume(fault))

package threadgauge.run

import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.math.roundToInt
import threadgauge.model.Environment
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.Resumption
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.UnfinishedTrial
import threadgauge.run.measure.KneeSearchRun
import threadgauge.store.RecordFolder

/**
 * [before] as it is when its run is carried on at [at]: what was measured to its end stays, everything else is
 * forgotten but for its reason. Throws [NotResumable] where the new part would not be a measurement of the same thing:
 * on another machine, another Java, another build.
 */
internal fun carriedOn(before: Record, now: Environment, builds: Map<String, String>, at: String): Record {
    refuseUnfit(before, now, builds)
    val (kept, others) = before.trials.partition { it.state == TrialState.MEASURED }
    val resumption = Resumption(
        at = at,
        stateBefore = before.state,
        reasonBefore = before.stateReason,
        kept = kept.size,
        thrownAway = others.map { UnfinishedTrial(it.stack, it.number, it.state, it.stateReason) },
    )
    val busy = listOfNotNull(before.environment.busyBefore, now.busyBefore).maxOrNull()
    return before.copy(
        endedAt = null,
        state = RunState.RUNNING,
        stateReason = null,
        environment = before.environment.copy(busyBefore = busy),
        trials = kept,
        builds = builds,
        resumed = before.resumed + resumption,
    )
}

/** Trials of [plan] that none of [trials] has measured, in the plan's order. */
internal fun trialsLeft(plan: Plan, trials: List<Trial>): List<PlannedTrial> {
    val measured = trials.filter { it.state == TrialState.MEASURED }.mapTo(HashSet()) { it.stack to it.number }
    return plan.trials.filterNot { it.stack to it.number in measured }
}

/**
 * Logs are appended to, and histograms of a situation that fails early would stay: what [trials] left behind goes
 * first.
 */
internal fun RecordFolder.clear(trials: List<PlannedTrial>) = writing {
    for (planned in trials) {
        logOf(planned).deleteIfExists()
        // Of a search for the knee, the probes: they have names of their own, and the next search may have fewer.
        val probes = hlogOf(planned, KneeSearchRun.PROBE).substringAfterLast('/').removeSuffix(".hlog")
        val ofProbes =
            latency.takeIf { it.exists() }?.listDirectoryEntries()?.filter { it.name.startsWith(probes) }.orEmpty()
        (planned.situations.map { path.resolve(hlogOf(planned, it)) } + ofProbes).forEach { it.deleteIfExists() }
    }
}

private fun refuseUnfit(before: Record, now: Environment, builds: Map<String, String>) {
    if (before.state == RunState.COMPLETE) {
        val failed = before.trials.filter { it.state != TrialState.MEASURED }.map { "${it.stack} ${it.number}" }
        val also = if (failed.isEmpty()) "" else "\nThat ${failed.joinToString()} failed is a result too. To try again, run it anew."
        throw NotResumable("This run came to its end: nothing is left to do.$also\nIts report: threadgauge report, with the same folder.")
    }
    val changed = differences(before.environment, now)
    if (changed.isNotEmpty()) {
        throw NotResumable("Not all is as it was when this run began, and one comparison must not mix the two:\n$changed\nRun it anew.")
    }
    val measured = before.trials.filter { it.state == TrialState.MEASURED }.mapTo(LinkedHashSet()) { it.stack }
    val gone = before.builds.keys.filter { it !in builds }
    if (gone.isNotEmpty()) {
        throw NotResumable("What these stacks were started from is no longer there: ${gone.joinToString()}.")
    }
    val other = measured.filter { before.builds[it] != builds[it] }
    if (other.isNotEmpty()) {
        val which = other.joinToString()
        throw NotResumable(
            "What these stacks are built from is not what it was when the run began: $which.\n" +
                "One comparison must not mix builds. Run it anew, or put the former build back.",
        )
    }
}

/** One line each for what a figure depends on and is not the same. */
private fun differences(before: Environment, now: Environment): String {
    val facts = listOf<Pair<String, (Environment) -> Any?>>(
        "Threadgauge" to { it.threadgauge },
        "processor" to { it.cpu },
        "cores" to { it.cores },
        "cores of the target" to { it.targetCores },
        "cores of the agent" to { it.agentCores },
        "memory in GB" to { (it.memoryBytes / 1e9).roundToInt() },
        "kernel" to { it.kernel },
        "Java" to { it.java },
        "most open files" to { it.fileLimit },
    )
    return facts.filter { (_, of) -> of(before) != of(now) }
        .joinToString("\n") { (name, of) -> "  $name: ${of(before)}, now ${of(now)}" }
}

/** A run that cannot be carried on; nothing was started and nothing was changed. The message is for the user. */
class NotResumable(message: String) : Exception(message)

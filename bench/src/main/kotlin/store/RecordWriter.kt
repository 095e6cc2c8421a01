package threadgauge.store

import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import threadgauge.model.AgentCeiling
import threadgauge.model.AgentSeen
import threadgauge.model.Pause
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.failure.Failure
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.TurnsReason

/**
 * Writes the record of a running run, starting from [begun]: every change is on disk before the call returns. Every
 * call may throw [RecordNotWritten]. Belongs to the run's thread.
 */
internal class RecordWriter(private val folder: RecordFolder, begun: Record) {
    private val alreadyMillis = millisSoFar(begun, Instant.now())
    private val startNanos = System.nanoTime()

    var record = begun
        private set

    init {
        folder.write(record)
    }

    /**
     * Milliseconds from the start of the run to [nanos] of `System.nanoTime`. For a resumed run they include the time
     * before.
     */
    fun runMillis(nanos: Long) = alreadyMillis + (nanos - startNanos) / 1e6

    /** Keeps the lowest [ceiling] of a resumed run: it is the one that raises the most doubt. */
    fun calibrated(
        agentCommand: List<String>,
        agents: Int,
        ceiling: AgentCeiling,
        remoteAgents: List<AgentSeen> = emptyList(),
    ) = change {
        val least = listOfNotNull(environment.agentCeiling, ceiling).minBy { it.requestsPerSecond }
        copy(
            environment = environment.copy(
                agentCommand = agentCommand, agents = agents, agentCeiling = least, remoteAgents = remoteAgents,
            ),
        )
    }

    /** Whether idle cores are kept from sleeping. For a resumed run it is true only if it held for every part. */
    fun keptAwake(areAwake: Boolean) = change {
        copy(environment = environment.copy(awakeCores = areAwake && environment.awakeCores != false))
    }

    /** Ends a run that plans itself: its plan becomes the blocks that were measured. */
    fun enough(why: GoalEnd) = change {
        val blocks = trials.maxOfOrNull { it.number } ?: 0
        val experiment = plan.experiment.copy(trials = blocks)
        val measured = plan.trials.filter { it.number <= blocks }
        copy(plan = plan.copy(experiment = experiment, trials = measured), goalEnd = why)
    }

    fun paused(pause: Pause) = change { copy(pauses = pauses + pause) }

    /** From now on each trial is measured alone. */
    fun inTurns(why: TurnsReason) = change { copy(inTurns = why) }

    /** Adds [trial], or replaces the one with the same stack and number. */
    fun put(trial: Trial) = change {
        val others = trials.filterNot { it.stack == trial.stack && it.number == trial.number }
        copy(trials = others + trial)
    }

    /** Ends the record now, with [failure] as the reason if there is one. */
    fun end(state: RunState, failure: Failure? = null) =
        change { copy(state = state, failure = failure, endedAt = wallClock()) }

    private fun change(edit: Record.() -> Record) {
        record = record.edit()
        folder.write(record)
    }
}

/**
 * Milliseconds since a run started, at [now]. At least the time that its samples cover, because the clock may have been
 * put back.
 */
internal fun millisSoFar(record: Record, now: Instant): Double {
    val samples = record.trials.flatMap { it.samples }
    val byClock = Duration.between(Instant.parse(record.startedAt), now).toNanos() / 1e6
    return maxOf(byClock, samples.maxOfOrNull { it.atMillis + it.windowMillis } ?: 0.0, 0.0)
}

/** The current time in UTC, in ISO 8601 with milliseconds. */
internal fun wallClock(): String = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()

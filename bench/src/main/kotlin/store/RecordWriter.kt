package threadgauge.store

import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import threadgauge.model.AgentCeiling
import threadgauge.model.GoalEnd
import threadgauge.model.Pause
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Trial
import threadgauge.model.TurnsReason
import threadgauge.model.failure.Failure

/**
 * The record of a run that goes on, [begun] as it is now: every change is on disk before the next thing happens.
 * Belongs to the run's thread.
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
     * Milliseconds from the start of the run, which may have been carried on since, to [nanos] of `System.nanoTime`.
     */
    fun runMillis(nanos: Long) = alreadyMillis + (nanos - startNanos) / 1e6

    /** The least ceiling counts, where the run was carried on: it is the one that throws most doubt. */
    fun calibrated(agentCommand: List<String>, agents: Int, ceiling: AgentCeiling) = change {
        val least = listOfNotNull(environment.agentCeiling, ceiling).minBy { it.requestsPerSecond }
        copy(environment = environment.copy(agentCommand = agentCommand, agents = agents, agentCeiling = least))
    }

    /** Idle cores are kept from sleeping, or cannot be; of a run that was carried on, both must hold. */
    fun keptAwake(areAwake: Boolean) = change {
        copy(environment = environment.copy(awakeCores = areAwake && environment.awakeCores != false))
    }

    /** A run that planned itself has enough: its plan is what it came to. */
    fun enough(why: GoalEnd) = change {
        val blocks = trials.maxOfOrNull { it.number } ?: 0
        val experiment = plan.experiment.copy(trials = blocks)
        val measured = plan.trials.filter { it.number <= blocks }
        copy(plan = plan.copy(experiment = experiment, trials = measured), goalEnd = why)
    }

    fun paused(pause: Pause) = change { copy(pauses = pauses + pause) }

    fun inTurns(why: TurnsReason) = change { copy(inTurns = why) }

    /** Adds [trial], or takes the place of the one with the same stack and number. */
    fun put(trial: Trial) = change {
        val others = trials.filterNot { it.stack == trial.stack && it.number == trial.number }
        copy(trials = others + trial)
    }

    fun end(state: RunState, failure: Failure? = null) =
        change { copy(state = state, failure = failure, endedAt = wallClock()) }

    private fun change(edit: Record.() -> Record) {
        record = record.edit()
        folder.write(record)
    }
}

/**
 * How old a run is at [now]; never less than what it has measured already took, should the clock have been put back.
 */
internal fun millisSoFar(record: Record, now: Instant): Double {
    val samples = record.trials.flatMap { it.samples }
    val byClock = Duration.between(Instant.parse(record.startedAt), now).toNanos() / 1e6
    return maxOf(byClock, samples.maxOfOrNull { it.atMillis + it.windowMillis } ?: 0.0, 0.0)
}

/** An ISO 8601 instant, UTC. */
internal fun wallClock(): String = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()

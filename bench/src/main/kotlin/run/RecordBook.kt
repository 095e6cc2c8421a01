package threadgauge.run

import threadgauge.model.Environment
import threadgauge.model.Plan
import threadgauge.model.Record
import threadgauge.model.Repeat
import threadgauge.model.RunState
import java.time.Instant
import java.time.temporal.ChronoUnit

/** The record of a run that goes on: every change is on disk before the next thing happens. Belongs to the run's thread. */
internal class RecordBook(private val folder: RecordFolder, plan: Plan, environment: Environment) {
    private val startNanos = System.nanoTime()

    var record = Record(
        id = folder.path.fileName.toString(),
        startedAt = now(),
        state = RunState.RUNNING,
        plan = plan,
        environment = environment,
    )
        private set

    init {
        folder.write(record)
    }

    /** Milliseconds of the run at [nanos] of `System.nanoTime`. */
    fun runMillis(nanos: Long) = (nanos - startNanos) / 1e6

    fun calibrated(environment: Environment) = change { copy(environment = environment) }

    /** Adds [repeat], or takes the place of the one with the same stack and number. */
    fun put(repeat: Repeat) = change {
        val others = repeats.filterNot { it.stack == repeat.stack && it.number == repeat.number }
        copy(repeats = others + repeat)
    }

    fun end(state: RunState, reason: String? = null) = change { copy(state = state, stateReason = reason, endedAt = now()) }

    private fun change(edit: Record.() -> Record) {
        record = record.edit()
        folder.write(record)
    }

    private fun now() = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()
}

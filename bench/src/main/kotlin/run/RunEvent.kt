package threadgauge.run

import java.nio.file.Path
import kotlin.time.Duration
import threadgauge.model.AgentCeiling
import threadgauge.model.Boot
import threadgauge.model.Pause
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.TurnsReason
import threadgauge.model.WarmUpIteration
import threadgauge.model.failure.Failure
import threadgauge.model.judgement.JudgedProbe

/** What a run tells while it goes on. Heard on the run's own thread, in order; a listener must be quick. */
sealed interface RunEvent {
    /**
     * [kept] trials were measured before the run was carried on; [estimate] is for the others. [busy] is the share of
     * the machine that is at work although nothing has begun, 0 to 1; null where unknown.
     */
    data class Planned(
        val plan: Plan,
        val folder: Path,
        val estimate: Duration,
        val kept: Int = 0,
        val busy: Double? = null,
    ) : RunEvent
    data class AgentCalibrated(val ceiling: AgentCeiling) : RunEvent

    /** A stack is started for what its later starts read; nothing of it is measured. */
    data class Training(val stack: String) : RunEvent

    /** It has written so many [bytes] for them. */
    data class Trained(val stack: String, val bytes: Long, val took: java.time.Duration) : RunEvent

    /**
     * Trials that are measured together begin, the first with this [index] of all in the plan's order, from 0. [left]
     * is the estimate for the rest of the run, these included; null where the run plans itself without a limit of time.
     */
    data class BlockStarted(
        val index: Int,
        val of: Int,
        val planned: List<PlannedTrial>,
        val left: Duration?,
        val plansItself: Boolean = false,
    ) : RunEvent

    /** From here on each trial is measured alone, the block that was begun included. */
    data class InTurns(val why: TurnsReason) : RunEvent

    /** The run stood still while something was measured. */
    data class Paused(val pause: Pause) : RunEvent

    /** The process of a trial is about to be started. */
    data class TrialStarted(val planned: PlannedTrial) : RunEvent
    data class Booted(val planned: PlannedTrial, val boot: Boot) : RunEvent
    data class WarmedUp(
        val planned: PlannedTrial,
        val iteration: WarmUpIteration,
        val spent: Duration,
        val budget: Duration,
    ) : RunEvent

    /** The next load is put off until the stack has done what the load before has left it. */
    data class PutOff(val planned: PlannedTrial) : RunEvent

    /** [second] of [of] is over; [of] is null where the load ends with its last request. */
    data class Measuring(
        val planned: PlannedTrial,
        val situation: String,
        val second: Int,
        val of: Int?,
        val failed: Long,
    ) : RunEvent

    /** Round [round] of [rounds] begins with [situation]. */
    data class RoundStarted(val round: Int, val rounds: Int, val situation: String) : RunEvent
    data class Measured(val planned: PlannedTrial, val sample: Sample) : RunEvent

    /**
     * One probe of a search for the knee is over, in a run of so many [stacks]; those of its block that are to come
     * take about [left] at most, on targets that answer quickly.
     */
    data class Probed(
        val planned: PlannedTrial,
        val probe: JudgedProbe,
        val left: Duration,
        val stacks: Int = 1,
    ) : RunEvent
    data class TrialFailed(val planned: PlannedTrial, val failure: Failure) : RunEvent

    /** [record] is what there is now. */
    data class BlockEnded(val planned: List<PlannedTrial>, val took: Duration, val record: Record) : RunEvent
}

/** Who hears [RunEvent]s. */
typealias RunListener = (RunEvent) -> Unit

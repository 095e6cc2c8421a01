package threadgauge.run

import java.nio.file.Path
import kotlin.time.Duration
import threadgauge.load.agent.AgentMessage
import threadgauge.model.AgentCeiling
import threadgauge.model.Boot
import threadgauge.model.Cost
import threadgauge.model.Pause
import threadgauge.model.ProcessSecond
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.failure.Failure
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.TurnsReason
import threadgauge.model.plan.WarmUpIteration

/**
 * What a run reports while it goes on. Delivered in order and one at a time, on the run's thread; where several agents
 * share a load, also on others while that waits. A listener must be quick.
 */
sealed interface RunEvent {
    /**
     * The run begins. [kept] trials were measured before it was resumed; [estimate] covers the others. [busy] is the
     * share of the machine that is in use before anything has started, 0 to 1; null if unknown.
     */
    data class Planned(
        val plan: Plan,
        val folder: Path,
        val estimate: Duration,
        val kept: Int = 0,
        val busy: Double? = null,
    ) : RunEvent

    /** The most that one load agent can do on this machine. */
    data class AgentCalibrated(val ceiling: AgentCeiling) : RunEvent

    /** A stack is started to write what its later starts read; nothing is measured. */
    data class Training(val stack: String) : RunEvent

    /** Of [pods] in a cluster that send the load, [ready] are ready. [why] says what the next one waits for. */
    data class PodsReady(val ready: Int, val pods: Int, val why: String?) : RunEvent

    /** The training has ended and wrote [bytes]. */
    data class Trained(val stack: String, val bytes: Long, val took: java.time.Duration) : RunEvent

    /**
     * Trials that are measured together begin. [index] is the place of the first of them among the [of] trials of the
     * plan, from 0. [left] is the estimated time to the end of the run, these included; null if the run plans itself
     * without a time limit.
     */
    data class BlockStarted(
        val index: Int,
        val of: Int,
        val planned: List<PlannedTrial>,
        val left: Duration?,
        val plansItself: Boolean = false,
    ) : RunEvent

    /** From here on each trial is measured alone, including those of the block under way. */
    data class InTurns(val why: TurnsReason) : RunEvent

    /** The run stood still during a measurement. */
    data class Paused(val pause: Pause) : RunEvent

    /** The process of a trial is about to be started. */
    data class TrialStarted(val planned: PlannedTrial) : RunEvent

    /** The target gave its first correct answer. */
    data class Booted(val planned: PlannedTrial, val boot: Boot) : RunEvent

    /** An [iteration] of warm-up is over. [spent] and [budget] are those of the whole block. */
    data class WarmedUp(
        val planned: PlannedTrial,
        val iteration: WarmUpIteration,
        val spent: Duration,
        val budget: Duration,
    ) : RunEvent

    /** The next load waits until the stack has worked off what the last one left in its queues. */
    data class PutOff(val planned: PlannedTrial) : RunEvent

    /**
     * [second] of [of] is over, counted from 1; [of] is null if the load ends with its last request. [failed] requests
     * have failed so far.
     */
    data class Measuring(
        val planned: PlannedTrial,
        val situation: String,
        val second: Int,
        val of: Int?,
        val failed: Long,
    ) : RunEvent

    /**
     * About a load that counts, from its first connection to its result. A listener may take the event, but must not
     * do any work before [Ended]: a measurement is under way.
     */
    sealed interface OfLoad : RunEvent {
        val planned: PlannedTrial

        /**
         * The load of [situation], or a slice of it, begins on the server at [host] and [port]. There is an [Ended] for
         * it unless it fails.
         */
        data class Started(
            override val planned: PlannedTrial,
            val situation: Situation,
            val host: String,
            val port: Int,
            val isSlice: Boolean,
        ) : OfLoad

        /** A [message] of a load agent about the load, which is not [AgentMessage.Done]. */
        data class Reported(override val planned: PlannedTrial, val message: AgentMessage) : OfLoad

        /** The load is over. [done] is the sum over all agents, [process] the target second by second. */
        data class Ended(
            override val planned: PlannedTrial,
            val done: AgentMessage.Done,
            val cost: Cost,
            val process: List<ProcessSecond>,
        ) : OfLoad
    }

    /** Round [round] of [rounds], counted from 1, begins with [situation]. */
    data class RoundStarted(val round: Int, val rounds: Int, val situation: String) : RunEvent

    /**
     * [place] of a map, counted from 1, begins. [borders] were seen so far, of which [known] are known well
     * ([threadgauge.model.judgement.map.MapBorder.WELL_KNOWN]).
     */
    data class PlaceStarted(val place: Int, val situation: String, val borders: Int, val known: Int) : RunEvent

    /** A situation has been measured; [sample] is its result. */
    data class Measured(val planned: PlannedTrial, val sample: Sample) : RunEvent

    /** A stack is loaded in [situation] once more, and observed closely; no figure is from this load. */
    data class Profiling(val planned: PlannedTrial, val situation: String) : RunEvent

    /**
     * A probe of a knee search is over, in a run of [stacks] stacks. The probes that are still to come in its block
     * take about [left] at most, if targets answer quickly.
     */
    data class Probed(
        val planned: PlannedTrial,
        val probe: JudgedProbe,
        val left: Duration,
        val stacks: Int = 1,
    ) : RunEvent

    /** The trial ends as failed; slices that were measured before stay in the record. */
    data class TrialFailed(val planned: PlannedTrial, val failure: Failure) : RunEvent

    /** The trials of a block have ended; [record] is the record so far. */
    data class BlockEnded(val planned: List<PlannedTrial>, val took: Duration, val record: Record) : RunEvent
}

/** Receives [RunEvent]s. */
typealias RunListener = (RunEvent) -> Unit

package threadgauge.model.judgement.compare

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.doubt.MachineName
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.request.StepName

/** How the figures of an experiment went over its runs. Derived from their summaries alone. */
@Serializable
data class History(
    val experiment: String,
    /** The oldest first. */
    val runs: List<HistoryRun>,
    /** By situation, then by stack, the whole before its steps, then by figure. */
    val series: List<HistorySeries>,
    /** What changed between runs besides what was measured. */
    val events: List<HistoryEvent>,
    /** Runs of the experiment that do not belong to this history, and why. */
    val leftOut: List<LeftOutRun>,
    /** Smallest difference that counts, as a share: 0.03 means 3 %. */
    val margin: Double,
)

/** A run of a history. */
@Serializable
data class HistoryRun(val record: String, val savedAs: String?, val startedAt: String)

/** A figure of a stack in a situation, or of a step in it, over all runs. */
@Serializable
data class HistorySeries(
    val situation: String,
    val stack: String,
    val of: Compared,
    /** One for each run; null where it was not measured, or not under the same load. */
    val points: List<HistoryPoint?>,
    val changes: List<HistoryChange>,
    /** Single runs that are off from the level around them. */
    val odd: List<OddRun> = emptyList(),
    /** Null for a figure of the whole cell. */
    val step: StepName? = null,
)

/** Run number [at], counted from 0, is [off] from its level, as a share of it: −0.12 is 12 % below. */
@Serializable
data class OddRun(val at: Int, val off: Double, val isBetter: Boolean)

/** A figure of one run. One that is not valid is shown, and an invalid one takes part in no change. */
@Serializable
data class HistoryPoint(val value: Double, val low: Double?, val high: Double?, val validity: Validity)

/** From run number [at], counted from 0, a figure is at another level. */
@Serializable
data class HistoryChange(
    val at: Int,
    val before: Double,
    val after: Double,
    /** [after] ÷ [before], with its 95 % interval. */
    val ratio: Double,
    val low: Double,
    val high: Double,
    val isBetter: Boolean,
    /** Events of the same run: what was measured may not be the cause. */
    val events: List<HistoryEvent> = emptyList(),
)

/** Between run [at] less one and run [at] something changed. */
@Serializable
sealed interface HistoryEvent {
    val at: Int

    @Serializable
    @SerialName("software")
    data class Software(override val at: Int, val part: SoftwarePart, val before: String, val after: String) :
        HistoryEvent

    /** The machine itself: the load agent with its internal server is [ratio] times as fast. */
    @Serializable
    @SerialName("machine-speed")
    data class MachineSpeed(override val at: Int, val ratio: Double) : HistoryEvent
}

/** Software besides what was measured. JAVA is that of the targets. */
@Serializable
enum class SoftwarePart { JAVA, KERNEL, THREADGAUGE }

/** A run that is not part of a history. */
@Serializable
data class LeftOutRun(val record: String, val reason: LeftOutReason)

/** Why a run is not part of a history. */
@Serializable
sealed interface LeftOutReason {
    /** Machines are not comparable. */
    @Serializable
    @SerialName("other-machine")
    data class OtherMachine(val machine: MachineName, val newest: MachineName) : LeftOutReason

    /** It has no figure that the newest run has under the same load. */
    @Serializable
    @SerialName("asked-otherwise")
    data object AskedOtherwise : LeftOutReason

    /** It ended early, or measured nothing. */
    @Serializable
    @SerialName("no-figures")
    data object NoFigures : LeftOutReason
}

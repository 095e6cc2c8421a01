package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.doubt.AgentDoubt
import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.KneeDoubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.SaleDoubt
import threadgauge.model.doubt.TargetDoubt

/** What is behind a doubt. By its facts rather than by its id, because `noise` has two causes. */
internal val DoubtFacts.cause: CauseId
    get() = when (this) {
        is LoadDoubt -> loadCause
        is MachineDoubt -> machineCause
        is RunDoubt -> runCause
        is KneeDoubt -> kneeCause
        is AgentDoubt -> CauseId.LOAD_AGENT
        is TargetDoubt.NotSteady -> CauseId.NOT_WARM
        is TargetDoubt.GrowingMemory -> CauseId.SHORT_OF_MEMORY
        is TargetDoubt.MislabelledModel -> CauseId.OTHER_MODEL
        is TargetDoubt.ImpossibleCounter -> CauseId.MISREAD_COUNTER
        is OwnServiceDoubt.SameProcess, is OwnServiceDoubt.NotSeen -> CauseId.RUNNING_SERVICE
        is OwnServiceDoubt.OtherPort -> CauseId.GUESSED_PORT
        is OwnServiceDoubt.DifferentAnswers, is OwnServiceDoubt.ChangedAnswers -> CauseId.UNEQUAL_WORK
        is SaleDoubt.PromiseBroken -> CauseId.BROKEN_PROMISE
        is RegressionDoubt.NotInterleaved -> CauseId.DRIFT
        is RegressionDoubt -> CauseId.OTHER_CONDITIONS
    }

private val LoadDoubt.loadCause: CauseId
    get() = when (this) {
        is LoadDoubt.LittlesLaw -> CauseId.OTHER_LOAD
        is LoadDoubt.Failures -> CauseId.FAILED_REQUESTS
        is LoadDoubt.LeftOver -> CauseId.LEFT_OVER_REQUESTS
        is LoadDoubt.FewSamples -> CauseId.FEW_ANSWERS
        is LoadDoubt.ShortWindow -> CauseId.SHORT_LOAD
        is LoadDoubt.UnequalWork -> CauseId.UNEQUAL_WORK
        is LoadDoubt.Outlier -> CauseId.ODD_TRIAL
        is LoadDoubt.NotMeasured -> CauseId.MISSING_FIGURES
    }

private val MachineDoubt.machineCause: CauseId
    get() = when (this) {
        is MachineDoubt.StolenTime -> CauseId.HOST
        is MachineDoubt.OtherPrograms, is MachineDoubt.CoreTaken -> CauseId.OTHER_PROGRAMS
        is MachineDoubt.ReferenceChanged, is MachineDoubt.CoreSpeed -> CauseId.MACHINE_SPEED
        is MachineDoubt.Swapping -> CauseId.SHORT_OF_MEMORY
        is MachineDoubt.FileLimit -> CauseId.FILE_LIMIT
    }

private val RunDoubt.runCause: CauseId
    get() = when (this) {
        RunDoubt.NotPinned -> CauseId.SHARED_CORES
        is RunDoubt.BusyMachine -> CauseId.OTHER_PROGRAMS
        is RunDoubt.NotComplete, is RunDoubt.CarriedOn -> CauseId.UNFINISHED_RUN
        is RunDoubt.InTurns -> CauseId.IN_TURNS
        is RunDoubt.Paused -> CauseId.PAUSED
        RunDoubt.MeasuredCold -> CauseId.NOT_WARM
        is RunDoubt.Indicative -> CauseId.FEW_TRIALS
    }

private val KneeDoubt.kneeCause: CauseId
    get() = when (this) {
        is KneeDoubt.FewProcesses -> CauseId.FEW_TRIALS
        is KneeDoubt.WideInterval, is KneeDoubt.ProcessesDisagree -> CauseId.IMPRECISE_KNEE
        is KneeDoubt.NotSteady -> CauseId.NOT_WARM
        is KneeDoubt.FewSamples -> CauseId.FEW_ANSWERS
        is KneeDoubt.StolenTime -> CauseId.HOST
        is KneeDoubt.Agent -> CauseId.LOAD_AGENT
    }

/** How much was found in one measurement: a share, a time or a number. Null where one is as bad as another. */
internal val DoubtFacts.amount: Double?
    get() = when (this) {
        is LoadDoubt.LittlesLaw -> abs(share - 1)
        is LoadDoubt.Failures -> share
        is LoadDoubt.LeftOver -> millis
        is LoadDoubt.FewSamples -> count.toDouble()
        is TargetDoubt.GrowingMemory -> toBytes.toDouble()
        is AgentDoubt.NearItsCeiling -> share
        is AgentDoubt.SentLate -> p99Micros
        is AgentDoubt.CollectedGarbage -> share
        is AgentDoubt.Lost -> share
        is AgentDoubt.NetworkBetween -> medianMicros
        is MachineDoubt.StolenTime -> share
        is MachineDoubt.OtherPrograms -> share
        is MachineDoubt.ReferenceChanged -> abs(change)
        is MachineDoubt.CoreTaken -> share
        is MachineDoubt.CoreSpeed -> abs(megahertzAfter / megahertzBefore - 1)
        is MachineDoubt.Swapping -> pages.toDouble()
        is MachineDoubt.FileLimit -> open.toDouble() / maxFiles
        else -> null
    }

/** Of two doubts of the same kind, the worse has more of it. */
internal val DoubtFacts.badness: Double
    get() = when (this) {
        is LoadDoubt.FewSamples -> -count.toDouble()
        is TargetDoubt.NotSteady -> plateau?.let { 1 - it.share } ?: 0.0
        else -> amount ?: 0.0
    }

/**
 * The share of its speed that a disturbance from outside can have cost the target in one measurement; null for other
 * doubts. [machinePerTarget] is the number of cores of the machine for each core of the target, because the time that
 * others took may all be of the target's cores.
 */
internal fun DoubtFacts.disturbance(amount: Double, machinePerTarget: Double): Double? = when (this) {
    is MachineDoubt.StolenTime, is MachineDoubt.OtherPrograms -> amount * machinePerTarget
    is MachineDoubt.ReferenceChanged, is MachineDoubt.CoreTaken, is MachineDoubt.CoreSpeed -> amount
    else -> null
}

package threadgauge.judge.doubt

import kotlin.math.ceil
import kotlin.time.Duration.Companion.minutes
import threadgauge.judge.progress.neededFor
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.judgement.DoubtLimits
import threadgauge.model.whyEnded
import threadgauge.stats.MIN_TRIALS

/** Doubts about the whole run. */
internal val runDoubts = listOf(
    RunRule(DoubtId.NOT_PINNED) { record ->
        if (record.environment.targetCores.isEmpty()) suspect(RunDoubt.NotPinned) else null
    },
    RunRule(DoubtId.BUSY_MACHINE) { record ->
        val busy = record.environment.busyBefore ?: return@RunRule null
        val limit = DoubtLimits.BUSY_BEFORE
        if (busy > limit) suspect(RunDoubt.BusyMachine(busy, limit)) else null
    },
    RunRule(DoubtId.NOT_COMPLETE) { record ->
        if (record.state != RunState.COMPLETE) suspect(RunDoubt.NotComplete(record.state, record.whyEnded)) else null
    },
    RunRule(DoubtId.CARRIED_ON) { record ->
        record.resumed.lastOrNull()?.let { note(RunDoubt.CarriedOn(record.resumed.size, it.kept)) }
    },
    RunRule(DoubtId.IN_TURNS) { record -> record.inTurns?.let { note(RunDoubt.InTurns(it)) } },
    RunRule(DoubtId.PAUSED) { record ->
        val longest = record.pauses.maxOfOrNull { it.millis } ?: return@RunRule null
        val kept = record.pauses.count { !it.isMeasuredAnew }
        val found = RunDoubt.Paused(record.pauses.size, longest, kept)
        if (kept == 0) note(found) else suspect(found)
    },
    RunRule(DoubtId.MEASURED_COLD) { record ->
        if (record.plan.experiment.warmUp.isNone) note(RunDoubt.MeasuredCold) else null
    },
    RunRule(DoubtId.INDICATIVE) { record ->
        val minutes = neededFor(record)?.let { ceil(it / 1.minutes).toInt() }
        if (fewestPlanned(record) < MIN_TRIALS) suspect(RunDoubt.Indicative(MIN_TRIALS, minutes)) else null
    },
)

internal fun fewestPlanned(record: Record) =
    record.plan.trials.groupingBy { it.stack }.eachCount().values.minOrNull() ?: 0

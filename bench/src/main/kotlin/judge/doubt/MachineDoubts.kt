package threadgauge.judge.doubt

import kotlin.math.abs
import threadgauge.model.Surroundings
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.judgement.DoubtLimits

/** Doubts about the machine while it was measured. */
internal val machineDoubts = listOf(
    SampleRule(DoubtId.STOLEN_TIME) { e ->
        val steal = e.sample.cost.steal ?: return@SampleRule null
        val limit = DoubtLimits.STOLEN_TIME
        if (steal > limit) suspect(MachineDoubt.StolenTime(steal, limit)) else null
    },
    SampleRule(DoubtId.OTHER_PROGRAMS) { e ->
        val other = e.sample.surroundings?.otherBusyShare ?: return@SampleRule null
        val limit = DoubtLimits.OTHER_PROGRAMS
        if (other > limit) suspect(MachineDoubt.OtherPrograms(other, limit)) else null
    },
    SampleRule(DoubtId.NOISE) { e ->
        val around = e.sample.surroundings ?: return@SampleRule null
        val before = around.referenceBeforeMicros ?: return@SampleRule null
        val after = around.referenceAfterMicros ?: return@SampleRule null
        val change = after / before - 1
        val taken = around.coreTakenShare
        when {
            abs(change) > DoubtLimits.REFERENCE_CHANGE ->
                suspect(MachineDoubt.ReferenceChanged(change, DoubtLimits.REFERENCE_CHANGE))
            taken != null && taken > DoubtLimits.CORE_TAKEN ->
                suspect(MachineDoubt.CoreTaken(taken, DoubtLimits.CORE_TAKEN))
            else -> null
        }
    },
    SampleRule(DoubtId.CORE_SPEED) { e ->
        val before = e.sample.surroundings?.megahertzBefore ?: return@SampleRule null
        val after = e.sample.surroundings.megahertzAfter ?: return@SampleRule null
        val limit = DoubtLimits.CORE_SPEED
        if (abs(after / before - 1) > limit) suspect(MachineDoubt.CoreSpeed(before, after, limit)) else null
    },
    SampleRule(DoubtId.SWAPPING) { e ->
        val around = e.sample.surroundings ?: return@SampleRule null
        val pages = (around.swappedInPages ?: 0) + (around.swappedOutPages ?: 0)
        val limit = DoubtLimits.SWAPPED_PAGES
        if (pages > limit) suspect(MachineDoubt.Swapping(pages, limit)) else null
    },
    SampleRule(DoubtId.FILE_LIMIT) { e ->
        val open = e.sample.surroundings?.maxOpenFiles ?: return@SampleRule null
        val allowed = e.sample.surroundings.openFilesLimit ?: return@SampleRule null
        val limit = DoubtLimits.OPEN_FILES
        if (open > limit * allowed) suspect(MachineDoubt.FileLimit(open, allowed, limit)) else null
    },
)

/**
 * Share of the time around the load in which another program ran on the target's core: the mean of the reference loop's
 * times minus their median, divided by the mean.
 */
private val Surroundings.coreTakenShare: Double?
    get() = listOfNotNull(
        share(referenceBeforeMicros, referenceBeforeMeanMicros),
        share(referenceAfterMicros, referenceAfterMeanMicros),
    ).maxOrNull()

private fun share(median: Double?, mean: Double?) =
    if (median == null || mean == null || mean <= 0) null else 1 - median / mean

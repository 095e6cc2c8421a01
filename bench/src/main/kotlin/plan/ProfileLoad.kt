package threadgauge.plan

import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.TypicalCost
import threadgauge.model.part

/**
 * The load under which a process is profiled: [load], of which the first [leadInNanos] do not count. Before it come
 * [rehearsals]: the same load for [REHEARSAL_NANOS], and a pause as long, in which the compiler catches up.
 */
internal class ProfileLoad(val load: Load, val leadInNanos: Long, val countedNanos: Long, val rehearsals: Int) {
    /** How long the profile takes, about. */
    val wholeNanos: Long get() = rehearsals * 2 * REHEARSAL_NANOS + leadInNanos + countedNanos + OVERHEAD_NANOS

    companion object {
        const val REHEARSAL_NANOS = 1_000_000_000L
    }
}

/**
 * Whether processes are profiled in the trial [planned]: in that of the first block alone, because what holds a stack
 * is the same in every process, and its extent is measured without a profile.
 */
internal fun Plan.hasProfiles(planned: PlannedTrial): Boolean =
    experiment.causes && knee == null && planned.number == 1

/**
 * The load of a profile in a situation with [load], which was measured for [measuredNanos] and answered in
 * [latencyNanos]: a quarter of that time, [MAX_NANOS] at most. The first profile of a process has rehearsals.
 * Null where a quarter is too short to show anything, and for a load of which no part is like the whole.
 */
internal fun profileLoad(
    load: Load,
    measuredNanos: Long,
    latencyNanos: Long = 0,
    isFirst: Boolean = false,
): ProfileLoad? {
    val counted = minOf(measuredNanos / SHARE, MAX_NANOS)
    if (counted < MIN_NANOS) return null
    val leadIn = (LEAD_IN_LATENCIES * latencyNanos).coerceIn(MIN_LEAD_IN_NANOS, MAX_NANOS)
    // Slices are counted from 1, so none of the first block has the same arrivals.
    return load.part(leadIn + counted, 0)?.let { ProfileLoad(it, leadIn, counted, if (isFirst) REHEARSALS else 0) }
}

private const val SHARE = 4
private const val MAX_NANOS = 4_000_000_000L
private const val MIN_NANOS = 1_000_000_000L
private const val MIN_LEAD_IN_NANOS = 1_000_000_000L

/** The first recording of a JVM changes classes of the JDK, and all code that they are in is compiled again. */
private const val REHEARSALS = 2

/** By then every user of a closed load is in a second request. */
private const val LEAD_IN_LATENCIES = 2L
private const val OVERHEAD_NANOS = (TypicalCost.PROFILE_OVERHEAD_SECONDS * 1e9).toLong()

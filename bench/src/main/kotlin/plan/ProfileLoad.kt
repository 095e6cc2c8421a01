package threadgauge.plan

import threadgauge.model.Load
import threadgauge.model.lengthNanos
import threadgauge.model.part
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.TypicalCost

/**
 * The load under which a process is profiled: [load], of which the first [leadInNanos] do not count. In them the JVM
 * prepares what is recorded, and compiles it.
 */
internal class ProfileLoad(val load: Load, val leadInNanos: Long, val countedNanos: Long) {
    /** How long the profile takes, about. */
    val wholeNanos: Long get() = leadInNanos + countedNanos + OVERHEAD_NANOS
}

/**
 * Whether processes are profiled in the trial [planned]: in that of the first block alone, because what holds a stack
 * is the same in every process, and its extent is measured without a profile.
 */
internal fun Plan.hasProfiles(planned: PlannedTrial): Boolean =
    experiment.causes && knee == null && planned.number == 1

/**
 * Whether a process of the trial [planned] is prepared for profiles: if it has them, and a load lasts long enough for
 * one, or it is not known how long it will last.
 */
internal fun Plan.rehearsesProfiles(planned: PlannedTrial): Boolean =
    hasProfiles(planned) && experiment.situations.any { situation ->
        val length = situation.load.lengthNanos
        situation.name in planned.situations && (length == null || profileLoad(situation.load, length) != null)
    }

/**
 * The load of a profile in a situation with [load], which was measured for [measuredNanos] and answered in
 * [latencyNanos]: half of that time, [MAX_NANOS] at most. The lead-in of the first profile of a process is longer.
 * Null where half is too short to show anything, and for a load of which no part is like the whole.
 */
internal fun profileLoad(
    load: Load,
    measuredNanos: Long,
    latencyNanos: Long = 0,
    isFirst: Boolean = false,
): ProfileLoad? {
    val counted = minOf(measuredNanos / SHARE, MAX_NANOS)
    if (counted < MIN_NANOS) return null
    val least = if (isFirst) FIRST_LEAD_IN_NANOS else MIN_LEAD_IN_NANOS
    val leadIn = (LEAD_IN_LATENCIES * latencyNanos).coerceIn(least, MAX_NANOS)
    // Slices are counted from 1, so none of the first block has the same arrivals.
    return load.part(leadIn + counted, 0)?.let { ProfileLoad(it, leadIn, counted) }
}

private const val SHARE = 2
private const val MAX_NANOS = 4_000_000_000L
private const val MIN_NANOS = 1_000_000_000L
private const val MIN_LEAD_IN_NANOS = 1_000_000_000L

/** The first recording of a JVM changes classes of the JDK, and all code that they are in is compiled again. */
private const val FIRST_LEAD_IN_NANOS = 3_000_000_000L

/** By then every user of a closed load is in a second request. */
private const val LEAD_IN_LATENCIES = 2L
private const val OVERHEAD_NANOS = (TypicalCost.PROFILE_OVERHEAD_SECONDS * 1e9).toLong()

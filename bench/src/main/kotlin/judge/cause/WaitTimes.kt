package threadgauge.judge.cause

import kotlin.math.sqrt
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Profile
import threadgauge.model.profile.WaitCause

/** A wait within requests, by threads of one group at one place. */
internal class WaitTime(
    val group: GroupKey,
    val kind: TimeKind,
    val place: CodePlace?,
    val on: String?,
    /** Mean number of threads in it. */
    val threads: Double,
    /** How often it was recorded; null where it was only seen in dumps. */
    val count: Long? = null,
)

/**
 * All waits within requests. Two sources show them, and one is taken at each place: events, which are exact for waits
 * of at least a millisecond, or dumps, which see waits of every length, but only a few times.
 */
internal fun waitTimesOf(profile: Profile, roles: Map<GroupKey, ThreadRole>): List<WaitTime> {
    val events = profile.waits.filter { it.cause != WaitCause.PINNED }.mapNotNull { wait ->
        val group = groupOf(wait.threads, wait.isVirtual)
        val trace = profile.traceOf(wait.trace)
        val reading = readTrace(trace, roles.getValue(group), cause = wait.cause, on = wait.on)
        reading.waitOf(group, wait.millis / profile.windowMillis, wait.count)
    }
    val dumps = profile.seen.mapNotNull { seen ->
        val group = groupOf(seen.threads, seen.isVirtual)
        val trace = profile.traceOf(seen.trace)
        readTrace(trace, roles.getValue(group), state = seen.state, on = seen.on).waitOf(group, seen.mean)
    }
    val fromEvents = events.groupBy { it.key }
    val fromDumps = dumps.groupBy { it.key }
    return (fromEvents.keys + fromDumps.keys)
        .map { key -> better(fromEvents[key].orEmpty(), fromDumps[key].orEmpty(), profile.dumps) }
        .sortedByDescending { it.threads }
}

private fun TraceReading.waitOf(group: GroupKey, threads: Double, count: Long? = null): WaitTime? =
    kind?.takeIf { it != TimeKind.CPU && threads > 0 }?.let { WaitTime(group, it, place, on, threads, count) }

/** The same wait of both sources has the same key. Dumps do not know the address of a socket, so it does not count. */
private val WaitTime.key get() = listOf(group, kind, place?.at?.type, place?.at?.method, place?.at?.line)

private fun better(events: List<WaitTime>, dumps: List<WaitTime>, number: Int): WaitTime {
    val recorded = events.sumOf { it.threads }
    val seen = dumps.sumOf { it.threads }
    val isShort = number > 0 && seen > recorded * CauseThresholds.SHORT_WAITS &&
        seen - recorded > CauseThresholds.STANDARD_ERRORS * sqrt(seen / number)
    val all = (events + dumps).sortedByDescending { it.threads }
    val example = all.first()
    // Events of a sleep do not name the method that sleeps; dumps do.
    val place = all.firstOrNull { it.place?.calls != null }?.place ?: example.place
    return WaitTime(
        example.group, example.kind, place, all.firstNotNullOfOrNull { it.on },
        if (events.isEmpty() || isShort) seen else recorded,
        if (events.isEmpty() || isShort) null else events.sumOf { it.count ?: 0 },
    )
}

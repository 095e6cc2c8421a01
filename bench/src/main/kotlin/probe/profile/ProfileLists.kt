package threadgauge.probe.profile

import threadgauge.model.profile.Running
import threadgauge.model.profile.SeenThreads
import threadgauge.model.profile.ThreadGroup
import threadgauge.model.profile.Trace
import threadgauge.model.profile.WaitCause
import threadgauge.model.profile.Waits

/**
 * What was observed, cut to what a record can hold: of each kind the most, and the sum of the rest without a place.
 * Traces are those in use, numbered anew.
 */
internal class ProfileLists(table: TraceTable, waits: List<Waits>, running: List<Running>, seen: List<SeenThreads>) {
    private val numbers = LinkedHashMap<Int, Int>()

    val waits: List<Waits> = cutWaits(sumOverManyOn(waits)).map { it.copy(trace = numbered(it.trace)) }
    val running: List<Running> = cutRunning(running).map { it.copy(trace = numbered(it.trace)) }
    val seen: List<SeenThreads> = seen.take(MAX_SEEN).map { it.copy(trace = checkNotNull(numbered(it.trace))) }
    val traces: List<Trace> = numbers.keys.map { table[it] }

    private fun numbered(trace: Int?): Int? = trace?.let { numbers.getOrPut(it) { numbers.size } }
}

/** At most as many groups as a record should hold; the others are summed as [OTHER_THREADS]. */
internal fun cutGroups(groups: List<ThreadGroup>): List<ThreadGroup> =
    groups.take(MAX_GROUPS) + groups.drop(MAX_GROUPS).groupBy { it.isOfJvm }.map { (isOfJvm, rest) ->
        val waited = rest.mapNotNull { it.waitedForCoreMillis }.takeIf { it.isNotEmpty() }?.sum()
        val started = rest.mapNotNull { it.started }.takeIf { it.isNotEmpty() }?.sum()
        ThreadGroup(OTHER_THREADS, rest.sumOf { it.count }, rest.sumOf { it.cpuMillis }, waited, isOfJvm, started)
    }

/**
 * With one row for all that waits at the same place for one of many things: each client has a port of its own. Of those
 * of a socket the host is kept where it is the same.
 */
private fun sumOverManyOn(waits: List<Waits>): List<Waits> =
    waits.groupBy { it.copy(on = null, count = 0, millis = 0.0) }.values.flatMap { rows ->
        if (rows.size <= MAX_ON) rows else rows.groupBy { commonOn(it) }.map { (on, same) -> sum(same).copy(on = on) }
    }.sortedByDescending { it.millis }

private fun commonOn(wait: Waits): String? = when (wait.cause) {
    WaitCause.SOCKET_READ, WaitCause.SOCKET_WRITE -> wait.on?.let { it.substringBeforeLast(':') + ":*" }
    else -> null
}

private fun cutWaits(waits: List<Waits>): List<Waits> =
    (waits.take(MAX_WAITS) + waits.drop(MAX_WAITS).map { it.copy(trace = null, on = null) })
        .groupBy { it.copy(count = 0, millis = 0.0) }.values.map(::sum).sortedByDescending { it.millis }

private fun sum(rows: List<Waits>): Waits =
    rows.first().copy(count = rows.sumOf { it.count }, millis = rows.sumOf { it.millis })

private fun cutRunning(running: List<Running>): List<Running> =
    (running.take(MAX_RUNNING) + running.drop(MAX_RUNNING).map { it.copy(trace = null) })
        .groupBy { it.copy(samples = 0) }.values
        .map { rows -> rows.first().copy(samples = rows.sumOf { it.samples }) }
        .sortedByDescending { it.samples }

/** The group of all threads whose groups are not listed. */
internal const val OTHER_THREADS = "*"
private const val MAX_GROUPS = 60
private const val MAX_WAITS = 80
private const val MAX_RUNNING = 100
private const val MAX_SEEN = 80

/** Different things that one place waits for, before they are summed. */
private const val MAX_ON = 8

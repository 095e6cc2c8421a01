package threadgauge.judge.cause

import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.cause.TimePart

/** Where the mean latency goes. */
internal class TimeSplit(
    /** The largest first. They sum to the mean latency. */
    val parts: List<TimePart>,
    /** As [threadgauge.model.judgement.cause.Because.overlap]. */
    val overlap: Double,
    /** The pool of threads that requests wait for; null where they wait for none. */
    val exhausted: GroupLoad?,
) {
    fun micros(of: (TimePart) -> Boolean): Double = parts.filter(of).sumOf { it.micros }
}

/**
 * Where the mean latency of [view] goes. By Little's law a mean number of threads in a wait, divided by the throughput,
 * is the time of a request in that wait. [delayMicros] is added to each round trip by the experiment.
 */
internal fun splitOf(view: ProfileView, delayMicros: Double): TimeSplit {
    val mean = view.profile.meanMicros
    val observed = withoutPoolTasks(observedParts(view, minOf(delayMicros, mean)), view)
    val fitting = observed.fittedBy(TimeKind.OTHER_THREAD, mean).fittedBy(TimeKind.READY, mean)
    val overlap = maxOf(1.0, fitting.sumOf { it.micros } / mean)
    val parts = merged(fitting.map { it.copy(micros = it.micros / overlap) }, mean)
    val rest = mean - parts.sumOf { it.micros }
    val forThreads = maxOf(0.0, rest) + parts.filter { it.kind == TimeKind.OTHER_THREAD }.sumOf { it.micros }
    val exhausted = exhausted(view, isQueued = !isOutside(forThreads, mean))
    return TimeSplit(complete(parts, rest, view, exhausted).sortedByDescending { it.micros }, overlap, exhausted)
}

private fun observedParts(view: ProfileView, delayMicros: Double): List<TimePart> {
    val profile = view.profile
    val waits = view.waits.map {
        val times = it.count?.toDouble()?.div(profile.answered)
        TimePart(it.kind, view.microsOf(it.threads), it.place, view.awaitedBy(it), it.on, times)
    }
    // A wait for something outside of the process goes on while all its threads stand still.
    val outside = waits.filter { it.kind in OUTSIDE }.sumOf { it.micros } + delayMicros
    val stopped = ((profile.collectionPauseMillis ?: 0.0) / profile.windowMillis).coerceIn(0.0, 1.0)
    return waits + listOf(
        TimePart(TimeKind.CPU, (view.servingCpuMillis ?: 0.0) * 1e3 / profile.answered),
        TimePart(TimeKind.READY, view.readyMillis * 1e3 / profile.answered),
        TimePart(TimeKind.COLLECTOR, stopped * maxOf(0.0, profile.meanMicros - outside)),
        TimePart(TimeKind.NETWORK, delayMicros),
    )
}

/** Virtual threads wait for a carrier, and for no other thread by its group. */
private fun ProfileView.awaitedBy(wait: WaitTime): String? =
    if (wait.kind == TimeKind.THREAD) groups.firstOrNull { it.role == ThreadRole.CARRIER }?.group?.name else null

/**
 * While a thread waits for tasks of a pool, the pool's threads show what the request waits for, so that this is not
 * counted twice.
 */
private fun withoutPoolTasks(parts: List<TimePart>, view: ProfileView): List<TimePart> {
    val tasks = view.waits.filter { view.roles[it.group] == ThreadRole.BLOCKING_POOL }
        .filter { it.kind != TimeKind.OTHER_THREAD }
    return parts.shrinking(TimeKind.OTHER_THREAD, view.microsOf(tasks.sumOf { it.threads }))
}

/**
 * As much less of [kind] as the sum is more than [mean]. A wait for another thread lasts while that one does what is
 * counted as well; a recorded wait lasts until its thread is on a core again, so it holds the wait for a core at its
 * end.
 */
private fun List<TimePart>.fittedBy(kind: TimeKind, mean: Double) = shrinking(kind, sumOf { it.micros } - mean)

/** The parts of [kind] are less by [micros] together, but not less than nothing. */
private fun List<TimePart>.shrinking(kind: TimeKind, micros: Double): List<TimePart> {
    val sum = filter { it.kind == kind }.sumOf { it.micros }
    if (micros <= 0 || sum <= 0) return this
    val share = maxOf(0.0, 1 - micros / sum)
    return map { if (it.kind == kind) it.copy(micros = it.micros * share) else it }
}

/** Without parts that are nothing. Small ones of a kind stand together, without their places. */
private fun merged(parts: List<TimePart>, mean: Double): List<TimePart> {
    val same = parts.groupBy { listOf(it.kind, it.place?.at, it.group, it.on) }.values
        .map { all -> all.first().copy(micros = all.sumOf { it.micros }, timesPerRequest = timesOf(all)) }
    val (large, small) = same.partition { it.micros >= CauseThresholds.SMALL_PART * mean }
    return large + small.groupBy { it.kind }.map { (kind, its) -> TimePart(kind, its.sumOf { it.micros }) }
        .filter { it.micros > 0 }
}

/** Null where not all were counted. */
private fun timesOf(parts: List<TimePart>): Double? = parts.mapNotNull { it.timesPerRequest }
    .takeIf { it.size == parts.size }?.sum()

/** A pool that may work for others than requests counts only where requests wait for something. */
private fun exhausted(view: ProfileView, isQueued: Boolean): GroupLoad? {
    val pools = view.exhausted(ThreadRole.REQUEST) +
        if (isQueued) view.exhausted(ThreadRole.BLOCKING_POOL) else emptyList()
    // Threads that wait for a pool of others are not what is short.
    return pools.firstOrNull { it.longestWait?.kind != TimeKind.OTHER_THREAD } ?: pools.firstOrNull()
        ?: view.exhausted(ThreadRole.EVENT_LOOP).firstOrNull()
}

private fun isOutside(micros: Double, mean: Double) =
    micros < CauseThresholds.OUTSIDE_MICROS || micros < CauseThresholds.OUTSIDE_SHARE * mean

/** With [rest], which no thread was seen in. What is left of it by rounding is added to the largest part. */
private fun complete(parts: List<TimePart>, rest: Double, view: ProfileView, exhausted: GroupLoad?): List<TimePart> {
    val mean = view.profile.meanMicros
    if (parts.isNotEmpty() && rest < ROUNDING * mean) {
        val largest = parts.maxBy { it.micros }
        return parts - largest + largest.copy(micros = largest.micros + rest)
    }
    val kind = when {
        exhausted != null -> TimeKind.THREAD
        isOutside(rest, mean) || view.profile.dumps == 0 || view.isProcessorBusy -> TimeKind.UNACCOUNTED
        else -> TimeKind.ASYNCHRONOUS
    }
    return parts + TimePart(kind, rest, group = exhausted?.group?.name)
}

/** Waits for something outside of the process. */
private val OUTSIDE = setOf(TimeKind.SLEEP, TimeKind.DATABASE, TimeKind.BACKEND, TimeKind.NAME_LOOKUP)

/** Far above the error of a sum of doubles, and far below a part that is worth a line. */
private const val ROUNDING = 1e-9

package threadgauge.judge.cause

import kotlin.math.roundToInt
import threadgauge.model.Load
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.PartShare
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.meanNanos
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.Profile
import threadgauge.model.profile.WaitCause
import threadgauge.model.think
import threadgauge.model.users

/**
 * What holds the throughput: the resource whose utilization is near 1, since no other can be used more before it
 * (utilization law; Denning and Buzen, *Computing Surveys* 10, 1978). Where a wait fills the threads of a pool, it is
 * what is waited for that holds it, if that is limited in the process. Without any such resource, it is the load.
 *
 * [isServed]: requests of an open load are answered at the rate at which they arrive, so that only more of them would
 * show a limit.
 */
internal fun holderOf(view: ProfileView, split: TimeSplit, load: Load, isServed: Boolean): Holder =
    newThreads(view)
        ?: nothingBusy(view, split, load).takeIf { isServed }
        ?: pinned(view)
        ?: collector(view)
        ?: processor(view, split).takeIf { view.isFilledByRequests }
        ?: blockedLoop(view)
        ?: scarce(view, split)
        ?: reportedPool(view)
        ?: clientPool(view, split).takeIf { view.isProcessorBusy }
        ?: processor(view, split)
        ?: busyLoop(view)
        ?: threads(split)
        ?: clientPool(view, split)
        ?: (if (load.users == null) backend(view, split) else nothingBusy(view, split, load))
        ?: Holder.Unknown(largest(view, split, SEEN))

private fun pinned(view: ProfileView): Holder? {
    val pins = view.profile.waits.filter { it.cause == WaitCause.PINNED }
    val longest = pins.maxByOrNull { it.millis } ?: return null
    val loads = view.groups.filter { it.role == ThreadRole.CARRIER }
    val pinned = pins.sumOf { it.millis } / view.profile.windowMillis
    val carriers = carriers(view.profile, loads, pinned) ?: return null
    val pinnedShare = (pinned / carriers).coerceAtMost(1.0)
    if (view.inFlight < CauseThresholds.QUEUED * carriers) return null
    val busyShare = pinnedShare + loads.sumOf { it.runningShare * it.threads } / carriers
    if (busyShare < CauseThresholds.BUSY || pinnedShare < CauseThresholds.MOSTLY * busyShare) return null
    val place = view.profile.traceOf(longest.trace)?.let(::placeOf)
    return Holder.CarriersPinned(carriers.toInt(), pinnedShare, longest.on, place)
}

/**
 * Number of carriers that run virtual threads at a time: without a pool that tells it as many as there are cores, as is
 * usual (JEP 444), or as many as are [pinned] on average. The scheduler has more threads than that, which stand in for
 * one that waits in a way that it knows of, and are idle otherwise.
 */
private fun carriers(profile: Profile, loads: List<GroupLoad>, pinned: Double): Double? =
    profile.pools.firstOrNull { it.kind == PoolKind.CARRIERS }?.max?.toDouble() ?: loads.sumOf { it.threads }
        .takeIf { it > 0 }?.let { minOf(it, maxOf(profile.cores, pinned.roundToInt()).toDouble()) }

private fun collector(view: ProfileView): Holder? {
    val pauses = view.profile.collectionPauseMillis?.let { (it / view.profile.windowMillis).coerceIn(0.0, 1.0) }
    val all = view.profile.threads.sumOf { it.cpuMillis }
    val cpu = view.profile.threads.filter { it.isOfJvm && COLLECTORS.containsMatchIn(it.name) }.sumOf { it.cpuMillis }
        .takeIf { all > 0 }?.div(all)
    val isPausing = (pauses ?: 0.0) >= CauseThresholds.COLLECTOR_PAUSES
    val isBusy = view.isProcessorBusy && (cpu ?: 0.0) >= CauseThresholds.COLLECTOR_CPU
    return if (isPausing || isBusy) Holder.Collector(pauses, cpu) else null
}

/** One that compilers or other programs use as well holds nobody who waits for something else most of the time. */
private fun processor(view: ProfileView, split: TimeSplit): Holder? {
    val share = view.processorShare?.takeIf { view.isProcessorBusy } ?: return null
    val elsewhere = split.micros { it.kind in ELSEWHERE } / view.profile.meanMicros
    if (!view.isFilledByRequests && elsewhere >= CauseThresholds.LATENCY_SHARE) return null
    return Holder.Processor(share, view.profile.cores, hottestOf(view), view.ready.takeIf { view.sharesProcessor })
}

private fun blockedLoop(view: ProfileView): Holder? = view.exhausted(ThreadRole.EVENT_LOOP)
    .firstOrNull { it.isMostlyWaiting }?.let { it.asEventLoop().copy(blocking = it.longestWait) }

private fun busyLoop(view: ProfileView): Holder? = view.exhausted(ThreadRole.EVENT_LOOP).firstOrNull()
    ?.let { it.asEventLoop().copy(hottest = hottestOf(view, it.group)) }

private fun GroupLoad.asEventLoop() =
    Holder.EventLoop(group.name, threads.toInt(), busyShare, waitingShare, blocking = null)

/** A lock or a pool of connections for which requests wait, whichever takes more of the latency. */
private fun scarce(view: ProfileView, split: TimeSplit): Holder? {
    val served = split.served()
    val waits = view.waits.filter { it.kind == TimeKind.LOCK || it.kind == TimeKind.CONNECTION_POOL }
        .groupBy { listOf(it.kind, it.on?.takeUnless(::isShared) ?: it.place?.at) }.values
    val longest = waits.maxByOrNull { its -> its.sumOf { it.threads } } ?: return null
    val waiting = longest.sumOf { it.threads }
    val share = (view.microsOf(waiting) / split.overlap / served).coerceAtMost(1.0)
    if (waiting < CauseThresholds.WAITING || share < CauseThresholds.LATENCY_SHARE) return null
    val example = longest.maxBy { it.threads }
    if (example.kind == TimeKind.LOCK) return Holder.Lock(example.on, example.place, waiting, share)
    val pool = view.profile.pools.filter { it.kind == PoolKind.HIKARI && example.on == NamedResources.HIKARI }
        .maxByOrNull { it.waiting ?: 0.0 }
    return Holder.ConnectionPool(pool?.name ?: example.on, pool?.max, waiting, example.place, share)
}

/**
 * A pool of connections that reports itself as exhausted, for which no thread waits. The mean number of requests that
 * wait for a connection is to that in flight as their wait is to the latency (Little's law for both).
 */
private fun reportedPool(view: ProfileView): Holder? = view.profile.pools
    .filter { it.kind.isOfConnections && (it.waiting ?: 0.0) >= CauseThresholds.WAITING }
    .filter { pool -> pool.max?.let { pool.busy >= CauseThresholds.POOL_BUSY * it } ?: false }
    .maxByOrNull { it.waiting ?: 0.0 }?.let { pool ->
        val share = (checkNotNull(pool.waiting) / view.inFlight).coerceAtMost(1.0)
        Holder.ConnectionPool(pool.name, pool.max, pool.waiting, place = null, latencyShare = share)
            .takeIf { share >= CauseThresholds.LATENCY_SHARE }
    }

/** A class of which there are many locks or pools, so that they are told apart by their places. */
private fun isShared(name: String) = name.startsWith("java.") || name == NamedResources.SEMAPHORE

/** The latency without the wait for a thread: what a request takes once it is served. */
private fun TimeSplit.served() = micros { it.kind != TimeKind.THREAD }.takeIf { it > 0 } ?: 1.0

private fun threads(split: TimeSplit): Holder? {
    val pool = split.exhausted ?: return null
    val doing = pool.longestWait?.takeIf { pool.isMostlyWaiting }
    return Holder.RequestThreads(pool.group.name, pool.role, pool.threads.toInt(), pool.busyShare, doing)
}

private fun backend(view: ProfileView, split: TimeSplit): Holder? {
    val call = split.parts.firstOrNull { it.kind == TimeKind.DATABASE || it.kind == TimeKind.BACKEND } ?: return null
    val share = call.micros / split.served()
    return Holder.Backend(call.kind, call.on, call.place, share)
        .takeIf { share >= CauseThresholds.LATENCY_SHARE && view.hasThreads }
}

/** Null where too little was seen to say that nothing is busy. */
private fun nothingBusy(view: ProfileView, split: TimeSplit, load: Load): Holder? {
    if (!view.hasThreads) return null
    val unknown = split.micros { it.kind == TimeKind.UNACCOUNTED } / view.profile.meanMicros
    if (view.profile.dumps == 0 && unknown >= CauseThresholds.LATENCY_SHARE) return null
    val thinkMicros = load.think?.meanNanos?.div(1e3)?.takeIf { it > 0 }
    return Holder.Load(load.users, thinkMicros, largest(view, split, NAMED), view.processorShare)
}

private fun largest(view: ProfileView, split: TimeSplit, number: Int) =
    split.parts.take(number).map { PartShare(it, it.micros / view.profile.meanMicros) }

/** Threads of HotSpot's collectors, with `#` for digits. */
private val COLLECTORS = Regex("^(VM Thread|GC Thread|G# |ParGC|ZWorker|XWorker|ZDriver|ZDirector|Shenandoah)")

/** Waits for what another process does, or a resource of the own one that is no processor. */
private val ELSEWHERE = setOf(
    TimeKind.LOCK, TimeKind.CONNECTION_POOL, TimeKind.DATABASE, TimeKind.BACKEND, TimeKind.NAME_LOOKUP, TimeKind.FILE,
)

private const val SEEN = 2
private const val NAMED = 3

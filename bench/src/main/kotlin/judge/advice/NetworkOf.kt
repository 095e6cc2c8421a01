package threadgauge.judge.advice

import kotlin.math.roundToInt
import threadgauge.judge.cause.CauseThresholds
import threadgauge.judge.cause.GroupLoad
import threadgauge.judge.cause.NamedResources
import threadgauge.judge.cause.ProfileView
import threadgauge.model.Cost
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.fastestPerSecond
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.meanNanos
import threadgauge.model.plan.QUIET_COMPILER_SHARE
import threadgauge.model.profile.PoolKind
import threadgauge.model.think
import threadgauge.model.users

/** A service under one load: what was measured, and what its profile shows. */
internal class Observed(
    val situation: Situation,
    val sample: Sample,
    val view: ProfileView,
    val because: Because,
    /** For sizes that the process does not tell. */
    val changes: List<KnownChange>,
    /** The largest size of the heap, in megabytes; null where unknown. */
    val heapMegabytes: Double? = null,
    /** Answers of the process until the end of [sample], its warm-up among them. */
    val served: Double = Double.POSITIVE_INFINITY,
) {
    /**
     * Whether code that runs once per request is compiled for good: it was called often enough, and compilers have no
     * more to do. Before that, a request takes more CPU time.
     */
    val isCompiled: Boolean
        get() {
            val compiling = sample.cost.jvm?.let { it.compileMillis / sample.windowMillis } ?: 0.0
            return served >= COMPILED && compiling <= QUIET_COMPILER_SHARE
        }

    /** In answers per microsecond, as measured. */
    val rate: Double = sample.perSecond / ServiceNetwork.MICROS
}

/**
 * The service as a network of queues. A request holds each resource for its utilization × its size ÷ the throughput
 * (utilization law). Utilizations are from the profile; the throughput is the measured one, which no profile slows.
 */
internal fun networkOf(seen: Observed): ServiceNetwork {
    val pools = connections(seen)
    val lock = (seen.because.holder as? Holder.Lock)?.let {
        Station(LimitedResource.LOCK, it.of, 1.0, 1 / seen.rate)
    }
    val loops = groups(seen, ThreadRole.EVENT_LOOP, LimitedResource.EVENT_LOOPS)
    val carriers = groups(seen, ThreadRole.CARRIER, LimitedResource.CARRIERS)
    val isQueued = lock != null || pools.any { it.isUsedUp(seen) }
    val stations = listOfNotNull(processor(seen, isQueued), lock) + pools + loops + carriers
    val threads = threads(seen, ThreadRole.REQUEST, LimitedResource.REQUEST_THREADS) +
        threads(seen, ThreadRole.BLOCKING_POOL, LimitedResource.TASK_THREADS)
    val load = seen.situation.load
    val network = ServiceNetwork(
        stations = stations,
        threads = threads,
        delayMicros = maxOf(0.0, servedMicros(seen, stations) - stations.sumOf { it.holdMicros }),
        users = load.users,
        thinkMicros = load.think?.meanNanos?.div(1e3) ?: 0.0,
        ratePerSecond = load.fastestPerSecond.takeIf { load.users == null && it > 0 },
    )
    return network.fitting(seen.rate)
}

/** Where figures of different windows contradict each other, no time is longer than the measured throughput allows. */
private fun ServiceNetwork.fitting(rate: Double): ServiceNetwork {
    val held = stations.map { it.copy(holdMicros = minOf(it.holdMicros, it.servers / rate)) }
    val inside = minOf(
        users?.let { it / rate - thinkMicros } ?: Double.POSITIVE_INFINITY,
        threads.minOfOrNull { it.servers / rate } ?: Double.POSITIVE_INFINITY,
    )
    val sum = held.sumOf { it.holdMicros }
    val share = if (sum > inside && inside > 0) inside / sum else 1.0
    val shrunk = held.map { it.copy(holdMicros = it.holdMicros * share) }
    val left = maxOf(0.0, inside - shrunk.sumOf { it.holdMicros })
    return copy(stations = shrunk, delayMicros = minOf(delayMicros, left))
}

/**
 * CPU time as measured. Where other programs use its cores as well, the process had no more of them than it got, unless
 * requests are queued for something else, which then keeps them from the cores ([isQueued]).
 */
private fun processor(seen: Observed, isQueued: Boolean): Station? {
    val cores = seen.view.profile.cores.toDouble()
    val measured = seen.sample.cost.servingCpuMillis?.let { it * 1e3 / seen.sample.answeredInWindow }
    val micros = measured ?: seen.view.servingCpuMillis?.let { it * 1e3 / seen.view.profile.answered } ?: return null
    val hold = if (seen.view.sharesProcessor && !isQueued) cores / seen.rate else micros
    return Station(LimitedResource.PROCESSOR, null, cores, hold)
}

/** Without the compiler, which is done sooner or later. It counts elapsed time, so it is not all that was taken. */
private val Cost.servingCpuMillis: Double?
    get() = cpuMillis?.let { maxOf(it - (jvm?.compileMillis ?: 0.0), it * MIN_SERVING) }

/** Groups of one [role] whose threads are all busy. */
private fun groups(seen: Observed, role: ThreadRole, resource: LimitedResource): List<Station> =
    seen.view.exhausted(role).map {
        Station(resource, it.group.name, it.threads, it.busyShare * it.threads / seen.rate)
    }

/** Pools of threads that a request holds one of, where all are busy or their limit is known. */
private fun threads(seen: Observed, role: ThreadRole, resource: LimitedResource): List<Station> {
    val busy = seen.view.exhausted(role).filter { it.longestWait?.kind != TimeKind.OTHER_THREAD }
    val pool = seen.view.profile.pools.singleOrNull { it.kind == PoolKind.TOMCAT_THREADS }
        ?.takeIf { role == ThreadRole.REQUEST }?.max
    val known = seen.view.groups.firstOrNull { it.role == role && pool != null }
    return (busy + listOfNotNull(known)).distinctBy { it.group }.map {
        val count = pool?.toDouble()?.takeIf { _ -> it == known } ?: it.threads
        Station(resource, it.group.name, count, it.holdMicros(seen))
    }
}

private fun GroupLoad.holdMicros(seen: Observed) = busyShare * threads / seen.rate

/** Pools of connections: those that report themselves, those for which threads wait, and that of a client. */
private fun connections(seen: Observed): List<Station> {
    val waits = seen.view.waits.filter { it.kind == TimeKind.CONNECTION_POOL }.groupBy { it.on }
        .mapValues { (_, its) -> its.sumOf { it.threads } }.filterValues { it >= CauseThresholds.WAITING }
    val told = PRODUCTS.mapNotNull { (kind, name) -> reported(seen, kind, name, isAwaited = name in waits) }
    val awaited = (waits.keys - told.map { it.name }.toSet()).map { name ->
        val size = inUse(seen).toDouble()
        Station(LimitedResource.CONNECTIONS, name, size, size / seen.rate, isEstimated = true)
    }
    val client = clientPool(seen)?.takeIf { client -> told.none { it.name == client.name } }
    return told + awaited + listOfNotNull(client)
}

/** The pool of a [kind] for which most wait; null where none of them tells its size, or none is used. */
private fun reported(seen: Observed, kind: PoolKind, name: String, isAwaited: Boolean): Station? {
    val pool = seen.view.profile.pools.filter { it.kind == kind && it.max != null }.maxByOrNull { it.waiting ?: 0.0 }
    val max = pool?.max?.toDouble() ?: return null
    val waiting = pool.waiting ?: 0.0
    val isUsedUp = isAwaited || waiting >= CauseThresholds.WAITING && pool.busy >= CauseThresholds.POOL_BUSY * max
    val busy = if (isUsedUp) max else pool.busy
    return if (busy > 0) Station(LimitedResource.CONNECTIONS, name, max, busy / seen.rate) else null
}

/** Connections in use, where their pool does not tell: all are, and each is at work for a thread. */
private fun inUse(seen: Observed): Int = seen.view.waits.filter { it.kind in AT_WORK }.sumOf { it.threads }
    .roundToInt().coerceAtLeast(1)

/** Of a client that does not block: all its connections are in use. */
private fun clientPool(seen: Observed): Station? {
    val pool = (seen.because.holder as? Holder.ConnectionPool)?.takeIf { it.waiting == null } ?: return null
    val usual = seen.changes.filter { it.resource == LimitedResource.CONNECTIONS }
        .firstOrNull { it.evidence.of?.let(::Regex)?.containsMatchIn(pool.name.orEmpty()) == true }?.usual
    val size = (pool.max ?: usual ?: return null).toDouble()
    return Station(LimitedResource.CONNECTIONS, pool.name, size, size / seen.rate, isEstimated = pool.max == null)
}

private fun Station.isUsedUp(seen: Observed) = capacity <= seen.rate * (1 + ROUNDING)

/** The time of a request that waits for nothing that [stations] are short of. */
private fun servedMicros(seen: Observed, stations: List<Station>): Double {
    val short = stations.filter { it.isUsedUp(seen) }.map { it.resource }
    return seen.because.split.filter { part ->
        when (part.kind) {
            TimeKind.THREAD, TimeKind.READY, TimeKind.COLLECTOR -> false
            TimeKind.LOCK -> LimitedResource.LOCK !in short
            TimeKind.CONNECTION_POOL, TimeKind.ASYNCHRONOUS -> LimitedResource.CONNECTIONS !in short
            else -> true
        }
    }.sumOf { it.micros }
}

/** The compiler takes less than half of the CPU time of a process that was warmed up. */
private const val MIN_SERVING = 0.5

/** Calls after which HotSpot compiles a method with C2: `-XX:Tier4InvocationThreshold`, whose default is 5,000. */
private const val COMPILED = 5_000.0

/** Of a quotient of doubles. */
private const val ROUNDING = 1e-6

/** Pools that report themselves, by the names under which threads are seen to wait for them. */
private val PRODUCTS = mapOf(
    PoolKind.HIKARI to NamedResources.HIKARI, PoolKind.R2DBC to "R2DBC", PoolKind.REACTOR_NETTY to "Reactor Netty",
)
private val AT_WORK = setOf(TimeKind.DATABASE, TimeKind.BACKEND)

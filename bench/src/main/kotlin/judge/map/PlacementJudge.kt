package threadgauge.judge.map

import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.min
import kotlin.math.roundToInt
import threadgauge.judge.advice.Observed
import threadgauge.judge.advice.ServiceNetwork
import threadgauge.judge.advice.Station
import threadgauge.judge.advice.gainOf
import threadgauge.judge.advice.networkOf
import threadgauge.judge.advice.observed
import threadgauge.judge.advice.predict
import threadgauge.judge.advice.tellingLoad
import threadgauge.judge.cause.ProfileView
import threadgauge.judge.judge
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Record
import threadgauge.model.Stack
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Operation
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapMove
import threadgauge.model.judgement.map.MapPlacement
import threadgauge.model.judgement.map.MapStack
import threadgauge.model.judgement.map.StackLaw

/**
 * Where the services that [record] measured lie on the [map] of [mapRecord], one for each service and request that has
 * a profile, from the load that shows best what holds it. The map must be one of waits, and have a place. A pure
 * function.
 */
fun placements(record: Record, mapRecord: Record, map: MapJudgement): List<MapPlacement> {
    val judged = judge(record).situations
    val changes = record.plan.advice?.changes.orEmpty()
    return record.plan.stacks.flatMap { stack ->
        val trials = record.trials.filter { it.stack == stack.name }
        judged.groupBy { it.situation.request }.values.mapNotNull { loads ->
            tellingLoad(loads.mapNotNull { observed(it, stack.name, trials, changes) })
                ?.let { Placing(record, stack, it, mapRecord, map).placement() }
        }
    }
}

/**
 * The same service on another model: a request waits as long, for the same connections and locks, and its own code
 * costs the same. What changes is how many requests may be inside, and the part of the CPU time that is the model's.
 */
private class Placing(
    private val record: Record,
    private val stack: Stack,
    private val seen: Observed,
    private val mapRecord: Record,
    private val map: MapJudgement,
) {
    private val network = networkOf(seen)
    private val models = mapRecord.plan.stacks.associate { it.name to it.model }
    private val model = stack.model.takeIf { it != ConcurrencyModel.UNKNOWN } ?: modelOf(seen.view)
    private val known = map.stacks.filter { it.law != null }
    private val like: MapStack? = known.firstOrNull { it.name == stack.name } ?: known.firstOrNull(::isLike)
    private val cpuMicros = network.stations.firstOrNull { it.resource == LimitedResource.PROCESSOR }?.holdMicros

    /** Users who think are not under way. */
    private val users: Int =
        network.users?.takeIf { network.thinkMicros <= 0 } ?: seen.because.inFlight.roundToInt().coerceAtLeast(1)

    /** A thread that serves several requests is held while it runs, too. */
    private val blockedMicros: Double = network.stations.filter { it.resource in OF_A_MODEL }.sumOf { it.holdMicros }
        .let { held -> if (held > 0) (held - (cpuMicros ?: 0.0)).coerceAtLeast(0.0) else 0.0 }

    private val waitMicros: Double = blockedMicros + network.delayMicros +
        network.stations.filter { it.resource in OF_THE_SERVICE }.sumOf { it.holdMicros }

    private fun isLike(other: MapStack): Boolean =
        models[other.name].let { it == model || areLoops(it) && areLoops(model) }

    fun placement(): MapPlacement {
        val now = Operation(seen.sample.perSecond, seen.sample.latency.meanMicros)
        val waitMillis = waitMicros / 1e3
        return MapPlacement(
            recordId = record.id,
            mapId = mapRecord.id,
            stack = stack.name,
            situation = seen.situation.name,
            users = users,
            waitMillis = waitMillis,
            cpuMicros = cpuMicros,
            model = model,
            blockedMillis = blockedMicros / 1e3,
            now = now,
            limits = network.limits.filter { it.resource in OF_THE_SERVICE },
            isWithin = waitMillis isIn map.question.work && users.toDouble() isIn map.question.users,
            nearest = map.places.minBy { distance(it.work, waitMillis) + distance(it.users, users.toDouble()) },
            like = like?.name,
            moves = known.filter { it != like }.map { move(it, now) }
                .sortedByDescending { it.prediction.perSecond.value },
            isOtherMachine = record.environment.let { it.cpu to it.cores } !=
                mapRecord.environment.let { it.cpu to it.cores },
        )
    }

    private fun move(to: MapStack, now: Operation): MapMove {
        val after = moved(to)
        val prediction = predict(now, network, after)
        return MapMove(
            to.name, to.title, models.getValue(to.name), prediction, gainOf(prediction), after.limits.firstOrNull(),
        )
    }

    private fun moved(to: MapStack): ServiceNetwork {
        val stations = network.stations.filter { it.resource !in OF_A_MODEL }.map { station ->
            if (station.resource != LimitedResource.PROCESSOR) station
            else station.copy(holdMicros = cpuAs(to, station.holdMicros))
        }
        val threads = listOfNotNull(
            to.limit?.let { Station(LimitedResource.REQUEST_THREADS, null, it.toDouble(), holdMicros = 0.0) },
        )
        val tasks = network.threads.filter { it.resource == LimitedResource.TASK_THREADS && areLoops(models[to.name]) }
        return network.copy(
            stations = stations, threads = threads + tasks, delayMicros = network.delayMicros + blockedMicros,
        )
    }

    /**
     * Of what a request costs, as much as an empty one does on the model of the service is the model's part, which
     * changes as empty ones do. The rest is the user's own code.
     */
    private fun cpuAs(to: MapStack, own: Double): Double {
        val from = like?.let(::emptyMicros) ?: return own
        val ofModel = min(own, from)
        return own - ofModel + ofModel * emptyMicros(to) / from
    }

    /** CPU time of a request of the map with as many others inside, in microseconds. */
    private fun emptyMicros(of: MapStack): Double {
        val law: StackLaw = checkNotNull(of.law)
        val inside = min(users, of.limit ?: users)
        return (law.cpuMicros + law.cpuNanosPerWaiting / 1e3 * inside) * seen.view.profile.cores
    }

    private infix fun Double.isIn(grid: List<Int>) = this in grid.first() / EDGE..grid.last() * EDGE

    private fun distance(place: Int, value: Double) = abs(ln(value.coerceAtLeast(LEAST) / place))

    private companion object {
        /** Threads that serve several requests. */
        val OF_A_MODEL = setOf(LimitedResource.EVENT_LOOPS, LimitedResource.CARRIERS)

        /** What no model changes. */
        val OF_THE_SERVICE = setOf(LimitedResource.CONNECTIONS, LimitedResource.LOCK)

        /** The outer places of a map stand for a little more. */
        const val EDGE = 1.15

        /** Milliseconds: a request that hardly waits is at the beginning of the axis. */
        const val LEAST = 0.1
    }
}

/** Event loops serve coroutines as well. */
private fun areLoops(model: ConcurrencyModel?) =
    model == ConcurrencyModel.EVENT_LOOP || model == ConcurrencyModel.COROUTINES

/** By the threads that are busy with requests. Coroutines are known by their library in the stacks of the profile. */
private fun modelOf(view: ProfileView): ConcurrencyModel {
    fun busy(role: ThreadRole) = view.groups.filter { it.role == role }.sumOf { it.busyShare * it.threads }
    val role = listOf(ThreadRole.VIRTUAL, ThreadRole.REQUEST, ThreadRole.EVENT_LOOP).maxBy(::busy)
    return when {
        busy(role) <= 0 -> ConcurrencyModel.UNKNOWN
        role == ThreadRole.VIRTUAL -> ConcurrencyModel.VIRTUAL_THREADS
        role == ThreadRole.REQUEST -> ConcurrencyModel.PLATFORM_THREADS
        view.profile.traces.any { trace -> trace.frames.any { it.type.startsWith(COROUTINES) } } ->
            ConcurrencyModel.COROUTINES
        else -> ConcurrencyModel.EVENT_LOOP
    }
}

private const val COROUTINES = "kotlinx.coroutines."

package threadgauge.map

import kotlin.math.min
import threadgauge.stats.median

/**
 * Few numbers of a stack, from which its place on a map follows.
 *
 * A closed load of N users with a wait of w is bounded by three things, and the smallest holds (asymptotic bounds:
 * P. J. Denning and J. P. Buzen, *The operational analysis of queueing network models*, ACM Computing Surveys 10,
 * 1978): the users, N / (w + R₀), where R₀ is the latency of a request that meets nobody; the processor, 1 / c; and the
 * places at which requests wait, B / (w + c). The cost of a request grows with the requests inside, of which there are
 * n = min(N, B): c = c₀ + c₁ · n.
 */
data class StackNumbers(
    /**
     * CPU time of a request on the server's cores in seconds, divided by the number of cores, where no other one is
     * inside: c₀.
     */
    val cpuSeconds: Double,
    /** Latency of a request that waits for nothing and meets nobody, in seconds: R₀. */
    val aloneSeconds: Double,
    /** Requests that can wait at a time: B; null where nothing bounds them. */
    val places: Double? = null,
    /** What each request inside adds to the CPU time of every request, in seconds: c₁. */
    val cpuSecondsPerWaiting: Double = 0.0,
) {
    /** Requests per second with [users] who each wait [waitSeconds] for an answer and then ask again. */
    fun perSecond(users: Double, waitSeconds: Double): Double {
        val cpu = cpuSeconds + cpuSecondsPerWaiting * min(users, places ?: users)
        val byUsers = users / (waitSeconds + aloneSeconds)
        val byPlaces = places?.let { it / (waitSeconds + cpu) } ?: Double.POSITIVE_INFINITY
        return min(byUsers, min(1 / cpu, byPlaces))
    }

    /** Latency in seconds, by Little's law: users ÷ rate. */
    fun latencySeconds(users: Double, waitSeconds: Double): Double = users / perSecond(users, waitSeconds)
}

/** What was measured of one stack at one place, in seconds and requests per second. */
class Observed(
    val users: Double,
    val waitSeconds: Double,
    val perSecond: Double,
    /** Typical latency. */
    val latencySeconds: Double,
    /** CPU time per second; null where it is unknown. */
    val cores: Double? = null,
)

/**
 * The numbers of a stack from what was [observed] of it; null where too little was.
 *
 * - R₀ is the smallest latency above the wait.
 * - c₀ and c₁ are the line through 1 ÷ rate over the users where the processor is full, which is where it does nearly
 *   as much as it was ever seen to do (the median of the slopes of all pairs: H. Theil, 1950, and P. K. Sen, *Journal
 *   of the American Statistical Association* 63, 1968). Where CPU times are unknown, the place with the largest rate is
 *   full.
 * - B is seen where the rate stays far below what processor and users allow, at two places or more that agree: the
 *   median of rate × (wait + c). Little's law says that this many requests were inside. Near a corner of two bounds the
 *   rate is below both, too, but by less, and no two such places agree.
 */
fun numbersOf(observed: List<Observed>): StackNumbers? {
    val answering = observed.filter { it.perSecond > 0 }
    if (answering.isEmpty()) return null
    val busiest = answering.mapNotNull { it.cores }.maxOrNull()
    val full = if (busiest == null) listOf(answering.maxBy { it.perSecond })
    else answering.filter { (it.cores ?: 0.0) >= FULL_SHARE * busiest }
    val slopes = full.flatMapIndexed { index, one ->
        full.drop(index + 1).filter { it.users != one.users }
            .map { (1 / it.perSecond - 1 / one.perSecond) / (it.users - one.users) }
    }
    val slope = if (slopes.isEmpty()) 0.0 else median(slopes).coerceAtLeast(0.0)
    val cpu = median(full.map { 1 / it.perSecond - slope * it.users })
        .takeIf { it > 0 } ?: median(full.map { 1 / it.perSecond })
    val alone = answering.minOf { (it.latencySeconds - it.waitSeconds).coerceAtLeast(0.0) }
    val free = StackNumbers(cpu, alone, cpuSecondsPerWaiting = slope)
    val bound = answering.filter { it !in full || busiest == null }
        .filter { it.perSecond < BOUND_SHARE * free.perSecond(it.users, it.waitSeconds) }
        .map { it.perSecond * (it.waitSeconds + cpu) }.sorted()
    if (bound.size < 2) return free
    val middle = bound[bound.size / 2]
    return free.copy(places = middle.takeIf { bound.count { it in middle / AGREES..middle * AGREES } * 2 > bound.size })
}

/**
 * How many of the [observed] places have a rate that is predicted within [tolerance], 0 to 1, from places that are not
 * predicted: every other one, in the order of users and wait, has its prediction from the numbers of the rest.
 */
fun predictedWithin(observed: List<Observed>, tolerance: Double): Int {
    val sorted = observed.sortedWith(compareBy({ it.users }, { it.waitSeconds }))
    val halves = sorted.indices.partition { it % 2 == 0 }.toList().map { half -> half.map(sorted::get) }
    return halves.zip(halves.reversed()).sumOf { (shown, asked) ->
        numbersOf(shown)?.let { numbers -> asked.count { numbers.isNear(it, tolerance) } } ?: 0
    }
}

private fun StackNumbers.isNear(place: Observed, tolerance: Double): Boolean =
    perSecond(place.users, place.waitSeconds) / place.perSecond in (1 - tolerance)..(1 + tolerance)

/** Of the most that a stack was seen to use: the rest is what the kernel and a collector take at times. */
private const val FULL_SHARE = 0.85
private const val BOUND_SHARE = 0.7
private const val AGREES = 1.25

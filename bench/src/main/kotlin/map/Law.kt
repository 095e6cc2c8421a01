package threadgauge.map

import kotlin.math.min

/**
 * Three numbers of a stack, from which its place on a map follows.
 *
 * A closed load of N users with a wait of w is bound by three things, and the smallest holds (asymptotic bounds: P. J.
 * Denning and J. P. Buzen, *The operational analysis of queueing network models*, ACM Computing Surveys 10, 1978):
 * the users, N / (w + R₀), where R₀ is the latency of a request that meets nobody; the processor, 1 / c; and the
 * places at which requests wait, B / (w + c).
 */
data class StackNumbers(
    /** CPU time of a request on the server's cores in seconds, divided by the number of cores: c. */
    val cpuSeconds: Double,
    /** Latency of a request that waits for nothing and meets nobody, in seconds: R₀. */
    val aloneSeconds: Double,
    /** Requests that can wait at a time: B; null where nothing bounds them. */
    val places: Double? = null,
) {
    /** Requests per second with [users] who each wait [waitSeconds] for an answer and then ask again. */
    fun perSecond(users: Double, waitSeconds: Double): Double {
        val byUsers = users / (waitSeconds + aloneSeconds)
        val byProcessor = 1 / cpuSeconds
        val byPlaces = places?.let { it / (waitSeconds + cpuSeconds) } ?: Double.POSITIVE_INFINITY
        return min(byUsers, min(byProcessor, byPlaces))
    }

    /** What holds it there. */
    fun held(users: Double, waitSeconds: Double): HeldBy {
        val rate = perSecond(users, waitSeconds)
        return when (rate) {
            users / (waitSeconds + aloneSeconds) -> HeldBy.USERS
            1 / cpuSeconds -> HeldBy.PROCESSOR
            else -> HeldBy.PLACES
        }
    }

    /** Latency in seconds, by Little's law: users ÷ rate. */
    fun latencySeconds(users: Double, waitSeconds: Double): Double = users / perSecond(users, waitSeconds)
}

/** What bounds a stack at a place of the map. */
enum class HeldBy { USERS, PROCESSOR, PLACES }

/** What was measured of one stack at one place, in seconds and requests per second. */
class Observed(
    val users: Double,
    val waitSeconds: Double,
    val perSecond: Double,
    val p50Seconds: Double,
)

/**
 * The numbers of a stack from what was [observed] of it on [cores] of the server; null where too little was.
 *
 * - c is the largest rate that was seen, turned around: what a request costs where the processor is full.
 * - R₀ is the smallest latency above the wait.
 * - B is seen where the rate stays far below what processor and users allow, at two places or more that agree: the
 *   median of rate × (wait + c). Little's law says that this many requests were inside. Near a corner of two bounds the
 *   rate is below both, too, but by less, and no two such places agree.
 */
fun numbersOf(observed: List<Observed>): StackNumbers? {
    val fastest = observed.maxOfOrNull { it.perSecond } ?: return null
    if (fastest <= 0) return null
    val cpu = 1 / fastest
    val alone = observed.minOf { (it.p50Seconds - it.waitSeconds).coerceAtLeast(0.0) }
    val free = StackNumbers(cpu, alone)
    val bound = observed.filter { it.perSecond < BOUND_SHARE * free.perSecond(it.users, it.waitSeconds) }
        .map { it.perSecond * (it.waitSeconds + cpu) }.sorted()
    if (bound.size < 2) return free
    val middle = bound[bound.size / 2]
    return free.copy(places = middle.takeIf { bound.count { it in middle / AGREES..middle * AGREES } * 2 > bound.size })
}

/** The share of [observed] places whose rate [numbers] predict within [tolerance], 0 to 1. Not for an empty list. */
fun shareWithin(numbers: StackNumbers, observed: List<Observed>, tolerance: Double): Double =
    observed.count {
        val predicted = numbers.perSecond(it.users, it.waitSeconds)
        predicted / it.perSecond in (1 - tolerance)..(1 + tolerance)
    }.toDouble() / observed.size

private const val BOUND_SHARE = 0.6
private const val AGREES = 1.25

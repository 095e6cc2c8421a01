package threadgauge.judge.advice

import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.min
import threadgauge.model.advice.LimitedResource
import threadgauge.model.judgement.advice.ServiceLimit

/** [servers] of one [resource], each held for [holdMicros] by every request. */
internal data class Station(
    val resource: LimitedResource,
    val name: String?,
    val servers: Double,
    val holdMicros: Double,
    val isEstimated: Boolean = false,
) {
    /** Answers per microsecond at which all servers are busy: the utilization law with U = 1. */
    val capacity: Double get() = if (holdMicros > 0) servers / holdMicros else Double.POSITIVE_INFINITY
}

/**
 * A service as a network of queues. A request first takes a thread, of which there may be a limit, and holds it while
 * it visits the [stations] and spends [delayMicros] where nothing is short. Users of a closed load think for
 * [thinkMicros] before each request; requests of an open load arrive at [ratePerSecond].
 *
 * Two estimates of its throughput enclose the truth. [bound] is the asymptotic bound: the least of all capacities, and
 * of the users ÷ the time of a request that never queues (Denning and Buzen, *Computing Surveys* 10, 1978; Lazowska et
 * al., *Quantitative System Performance*, 1984, chapter 5). It is reached where times of service hardly vary. [queued]
 * is mean value analysis (Reiser and Lavenberg, *Journal of the ACM* 27, 1980) with a station of m servers as one that
 * is m times as fast and a delay (Seidmann et al., 1987); it is right where times of service vary as an exponential
 * distribution does. The limit of threads is flow-equivalent service (Chandy, Herzog and Woo, *IBM Journal* 19, 1975).
 */
internal data class ServiceNetwork(
    val stations: List<Station>,
    /** Threads of which a request holds one all the time: the narrowest pool counts. */
    val threads: List<Station>,
    val delayMicros: Double,
    val users: Int?,
    val thinkMicros: Double,
    val ratePerSecond: Double?,
) {
    private val maxInside: Double get() = threads.minOfOrNull { it.servers } ?: Double.POSITIVE_INFINITY

    /** Where CPU time costs nothing. */
    fun withoutProcessor() = copy(stations = stations.filterNot { it.resource == LimitedResource.PROCESSOR })

    /** A request that never waits for its turn. */
    val leastMicros: Double get() = maxOf(delayMicros + stations.sumOf { it.holdMicros }, LEAST_MICROS)

    /** Every limit, the lowest first. A limit of threads is by the least time of a request. */
    val limits: List<ServiceLimit> get() = (
        stations.filter { it.holdMicros > 0 }.map { it.limit(it.holdMicros) } +
            threads.map { it.limit(leastMicros) } + listOfNotNull(load())
        ).sortedBy { it.perSecond }

    private fun Station.limit(holdMicros: Double) =
        ServiceLimit(resource, name, servers, holdMicros, servers / holdMicros * MICROS, isEstimated)

    private fun load(): ServiceLimit? = when {
        users != null -> (leastMicros + thinkMicros).let {
            ServiceLimit(LimitedResource.USERS, null, users.toDouble(), it, users / it * MICROS)
        }
        ratePerSecond != null -> ServiceLimit(LimitedResource.ARRIVALS, perSecond = ratePerSecond)
        else -> null
    }

    /** The most answers per second that are possible. */
    val bound: Double get() = limits.minOfOrNull { it.perSecond } ?: Double.POSITIVE_INFINITY

    /** Answers per second with queues, where times of service vary much. Never more than [bound]. */
    fun queued(): Double {
        val rate = ratePerSecond ?: return min(bound, closed() * MICROS)
        return min(rate, bound)
    }

    private fun closed(): Double {
        val all = users ?: return 0.0
        val inside = min(all.toDouble(), maxInside)
        val rates = insideRates(ceil(inside).toInt())
        // Between two whole numbers of threads in proportion, so that the estimate has no steps.
        val full = floor(inside).toInt()
        val fraction = inside - full
        val most = if (fraction > 0) rates[full] * (1 - fraction) + rates[full + 1] * fraction else rates[full]
        return if (thinkMicros <= 0) most else thinking(all) { n -> if (n <= full) rates[n] else most }
    }

    /** Throughput of the inner network by the number of requests in it. */
    private fun insideRates(most: Int): DoubleArray {
        val queues = DoubleArray(stations.size)
        val rates = DoubleArray(most + 1)
        val constant = delayMicros + stations.sumOf { it.holdMicros * (1 - 1 / maxOf(1.0, it.servers)) }
        for (n in 1..most) {
            val times = stations.mapIndexed { at, it -> it.holdMicros / maxOf(1.0, it.servers) * (1 + queues[at]) }
            rates[n] = n / maxOf(constant + times.sum(), LEAST_MICROS)
            times.forEachIndexed { at, time -> queues[at] = rates[n] * time }
        }
        return rates
    }

    /** [all] users who think, and a server of the rate [of] the number of requests in it: a birth-death process. */
    private fun thinking(all: Int, of: (Int) -> Double): Double {
        var weight = 1.0
        var sum = 1.0
        var served = 0.0
        for (n in 1..all) {
            val rate = of(n)
            weight *= (all - n + 1) / thinkMicros / rate
            if (weight > HUGE) {
                sum /= weight
                served /= weight
                weight = 1.0
            }
            sum += weight
            served += weight * rate
        }
        return served / sum
    }

    /** Mean latency at [perSecond]; null for an open load that is not kept up with. */
    fun meanMicros(perSecond: Double): Double? {
        if (users != null) return maxOf(leastMicros, users / perSecond * MICROS - thinkMicros)
        val rate = perSecond / MICROS
        val busy = stations.map { rate / it.capacity }
        if (busy.any { it >= ALMOST } || rate * leastMicros >= ALMOST * maxInside) return null
        return delayMicros + stations.mapIndexed { at, it ->
            val servers = maxOf(1.0, it.servers)
            it.holdMicros * (1 - 1 / servers) + it.holdMicros / servers / (1 - busy[at])
        }.sum()
    }

    companion object {
        const val MICROS = 1e6
        private const val LEAST_MICROS = 1e-3

        /** Beyond this share a queue grows too long for its mean to be seen within a load. */
        private const val ALMOST = 0.97
        private const val HUGE = 1e100
    }
}

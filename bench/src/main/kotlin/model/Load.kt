package threadgauge.model

import java.math.MathContext
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.judgement.LoadUnit

/**
 * How requests arrive at a target: the shape only, no clock.
 *
 * Durations are nanoseconds and rates are requests per second. [load/schedule][Load] turns an open shape into a
 * sequence of intended times; a closed shape has none, because each user waits for an answer first.
 */
@Serializable
sealed interface Load {
    /** A closed load: for [forNanos], [users] each send a request, wait for the answer, think, and send the next. */
    @Serializable
    @SerialName("users")
    data class Users(
        val users: Int,
        val forNanos: Long,
        val think: Think? = null,
        /** Users start one after the other, evenly spread over this time. 0: all at once. */
        val rampInNanos: Long = 0,
    ) : Load

    /** [users] each send [loops] requests, one after the other. Ends when the last answer is in. */
    @Serializable
    @SerialName("loops")
    data class Loops(val users: Int, val loops: Int, val think: Think? = null, val rampInNanos: Long = 0) : Load

    /** An open load: requests arrive whether or not earlier ones were answered. */
    @Serializable
    sealed interface Open : Load

    /** [ratePerSecond] requests arrive evenly for [forNanos]. */
    @Serializable
    @SerialName("rate")
    data class Rate(val ratePerSecond: Double, val forNanos: Long) : Open

    /**
     * Requests arrive independently of each other, [ratePerSecond] on average, for [forNanos]: a Poisson process, as
     * with many independent users. The same [seed] gives the same arrivals.
     */
    @Serializable
    @SerialName("poisson")
    data class Poisson(val ratePerSecond: Double, val forNanos: Long, val seed: Long = 1) : Open

    /** The arrival rate changes linearly from [fromPerSecond] to [toPerSecond] over [forNanos]. */
    @Serializable
    @SerialName("ramp")
    data class Ramp(val fromPerSecond: Double, val toPerSecond: Double, val forNanos: Long) : Open

    /** [requests] arrive at the same instant. With [connected], connections are opened before. */
    @Serializable
    @SerialName("burst")
    data class Burst(val requests: Int, val connected: Boolean = true) : Open

    /** Consecutive open loads. A burst among them takes no time. Never empty and never nested. */
    @Serializable
    @SerialName("steps")
    data class Steps(val parts: List<Open>) : Open
}

/**
 * Think time of a user between an answer and the next request: uniformly distributed between both ends, in nanoseconds.
 */
@Serializable
data class Think(@JsonNames("leastNanos") val minNanos: Long, @JsonNames("mostNanos") val maxNanos: Long = minNanos)

/** On average, in nanoseconds. */
val Think.meanNanos: Double get() = (minNanos + maxNanos) / 2.0

/** Think time of each user; null for none, and for an open load, which has no users. */
val Load.think: Think?
    get() = when (this) {
        is Load.Users -> think
        is Load.Loops -> think
        is Load.Open -> null
    }

/** Maximum number of requests in flight; null where only the speed of the target limits it. */
val Load.users: Int?
    get() = when (this) {
        is Load.Users -> users
        is Load.Loops -> users
        is Load.Burst -> requests
        is Load.Rate, is Load.Poisson, is Load.Ramp, is Load.Steps -> null
    }

/** Length of the load in nanoseconds; null where it ends with its last request. */
val Load.lengthNanos: Long?
    get() = when (this) {
        is Load.Users -> forNanos
        is Load.Rate -> forNanos
        is Load.Poisson -> forNanos
        is Load.Ramp -> forNanos
        is Load.Steps -> parts.sumOf { it.lengthNanos ?: 0 }
        is Load.Loops, is Load.Burst -> null
    }

/**
 * The same load for [nanos], as part [number] of the whole; null for one that cannot be cut into parts that are like
 * each other: it changes over time, or ends with its last request.
 */
fun Load.part(nanos: Long, number: Int): Load? = when (this) {
    is Load.Users -> if (rampInNanos == 0L) copy(forNanos = nanos) else null
    is Load.Rate -> copy(forNanos = nanos)
    // Arrivals of each part of their own.
    is Load.Poisson -> copy(forNanos = nanos, seed = seed * MAX_PARTS + number)
    is Load.Loops, is Load.Ramp, is Load.Burst, is Load.Steps -> null
}

/** Highest arrival rate of an open load, per second, without bursts. 0 for a closed load. */
val Load.fastestPerSecond: Double
    get() = when (this) {
        is Load.Rate -> ratePerSecond
        is Load.Poisson -> ratePerSecond
        is Load.Ramp -> maxOf(fromPerSecond, toPerSecond)
        is Load.Steps -> parts.maxOf { it.fastestPerSecond }
        is Load.Users, is Load.Loops, is Load.Burst -> 0.0
    }

/** Minimum duration of the load, in nanoseconds: on an infinitely fast server, from its pauses alone. */
val Load.minNanos: Long
    get() = when (this) {
        is Load.Loops -> rampInNanos + (loops * (think?.meanNanos ?: 0.0)).toLong()
        is Load.Users, is Load.Open -> lengthNanos ?: 0
    }

/** The unit in which loads of one kind are compared. */
val Load.unit: LoadUnit
    get() = when (this) {
        is Load.Users, is Load.Loops -> LoadUnit.USERS
        is Load.Burst -> LoadUnit.REQUESTS_AT_ONCE
        is Load.Open -> LoadUnit.REQUESTS_PER_SECOND
    }

/** The amount of load in its [unit]; null for one that changes over time. */
val Load.amount: Double?
    get() = when (this) {
        is Load.Users, is Load.Loops, is Load.Burst -> users!!.toDouble()
        is Load.Rate, is Load.Poisson -> fastestPerSecond
        is Load.Ramp, is Load.Steps -> null
    }

/**
 * The warm-up load for this load, for [nanos]: the same, except for users with think time, who would hardly warm it up,
 * and for bursts, which are too short.
 */
fun Load.warmUp(nanos: Long): Load = when (this) {
    is Load.Users, is Load.Loops, is Load.Burst ->
        Load.Users(if (think == null && this !is Load.Burst) users!! else minOf(users!!, WARM_UP_USERS), nanos)
    is Load.Open ->
        if (fastestPerSecond > 0) Load.Rate(fastestPerSecond, nanos) else Load.Users(WARM_UP_USERS, nanos)
}

/** The load as a part of a name, such as "rate 200". */
val Load.shortName: String
    get() = when (this) {
        is Load.Users -> "$users users"
        is Load.Loops -> "$users users $loops loops"
        is Load.Rate -> "rate ${number(ratePerSecond)}"
        is Load.Ramp -> "ramp ${number(fromPerSecond)} to ${number(toPerSecond)}"
        is Load.Poisson -> "poisson ${number(ratePerSecond)}"
        is Load.Steps -> "steps " + parts.joinToString(" ") { it.shortName.substringAfter(' ') }
        is Load.Burst -> if (connected) "burst $requests" else "burst $requests connecting"
    }

/** The load in the words of an experiment file. */
fun Load.words(): String = when (this) {
    is Load.Users -> "${usersWords(users)} for ${seconds(forNanos)}" + think.words() + rampIn(rampInNanos)
    is Load.Loops -> "${usersWords(users)}, $loops requests each" + think.words() + rampIn(rampInNanos)
    is Load.Rate -> "${number(ratePerSecond)}/s for ${seconds(forNanos)}"
    is Load.Poisson ->
        "${number(ratePerSecond)}/s at random for ${seconds(forNanos)}" + if (seed == 1L) "" else ", seed $seed"
    is Load.Ramp -> "${number(fromPerSecond)}/s to ${number(toPerSecond)}/s in ${seconds(forNanos)}"
    is Load.Burst -> "$requests at once" + if (connected) "" else ", connecting included"
    is Load.Steps -> parts.joinToString(", then ") { it.words() }
}

/** ", thinking for 1 s to 3 s", or nothing. */
fun Think?.words(): String = when {
    this == null -> ""
    minNanos == maxNanos -> ", thinking for ${seconds(minNanos)}"
    else -> ", thinking for ${seconds(minNanos)} to ${seconds(maxNanos)}"
}

private fun rampIn(nanos: Long) = if (nanos == 0L) "" else ", coming in over ${seconds(nanos)}"

private fun seconds(nanos: Long) = "${number(nanos / 1e9)} s"

/** At most four digits where they are not whole: what a minute or an hour makes of a rate has no end. */
private fun number(value: Double): String {
    val exact = value.toBigDecimal().stripTrailingZeros()
    val digits = maxOf(SHOWN_DIGITS, exact.precision() - exact.scale())
    val isShort = exact.scale() <= 0 || exact.precision() <= MAX_EXACT_DIGITS
    return (if (isShort) exact else exact.round(MathContext(digits)).stripTrailingZeros()).toPlainString()
}

private fun usersWords(users: Int) = if (users == 1) "1 user" else "$users users"

/** Enough users without think time to saturate any server. */
private const val WARM_UP_USERS = 100
private const val SHOWN_DIGITS = 4

/** More than a load is ever cut into. */
private const val MAX_PARTS = 1_000_000L
private const val MAX_EXACT_DIGITS = 6

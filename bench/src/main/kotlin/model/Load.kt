package threadgauge.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/**
 * How requests arrive at a target: the shape only, no clock.
 *
 * Durations are nanoseconds and rates are requests per second. [load/schedule][Load] turns an open shape into a
 * sequence of intended times; a closed shape has none, because each user waits for an answer first.
 */
@Serializable
sealed interface Load {
    /** [users] each send, wait for the answer, think, and send again, for [forNanos]. */
    @Serializable
    @SerialName("users")
    data class Users(
        val users: Int,
        val forNanos: Long,
        val think: Think? = null,
        /** Users begin one after the other, evenly, over this time. 0: all at once. */
        val rampInNanos: Long = 0,
    ) : Load

    /** [users] each send [loops] requests, one after the other. Ends when the last answer is in. */
    @Serializable
    @SerialName("loops")
    data class Loops(val users: Int, val loops: Int, val think: Think? = null, val rampInNanos: Long = 0) : Load

    /** Requests arrive whether or not earlier ones were answered. */
    @Serializable
    sealed interface Open : Load

    /** [ratePerSecond] requests arrive evenly for [forNanos]. */
    @Serializable
    @SerialName("rate")
    data class Rate(val ratePerSecond: Double, val forNanos: Long) : Open

    /**
     * Requests arrive independently of each other, [ratePerSecond] on average, for [forNanos]: a Poisson process, the
     * arrivals of many users who know nothing of each other. The same [seed] gives the same arrivals.
     */
    @Serializable
    @SerialName("poisson")
    data class Poisson(val ratePerSecond: Double, val forNanos: Long, val seed: Long = 1) : Open

    /** The rate of arrivals changes linearly from [fromPerSecond] to [toPerSecond] over [forNanos]. */
    @Serializable
    @SerialName("ramp")
    data class Ramp(val fromPerSecond: Double, val toPerSecond: Double, val forNanos: Long) : Open

    /** [requests] arrive in the same instant. With [connected], connections are opened before that instant. */
    @Serializable
    @SerialName("burst")
    data class Burst(val requests: Int, val connected: Boolean = true) : Open

    /** One open load after the other. A burst among them takes no time. Never empty, and never steps within steps. */
    @Serializable
    @SerialName("steps")
    data class Steps(val parts: List<Open>) : Open
}

/** Pause of a user between an answer and the next request: evenly distributed between the two, in nanoseconds. */
@Serializable
data class Think(@JsonNames("leastNanos") val minNanos: Long, @JsonNames("mostNanos") val maxNanos: Long = minNanos)

/** On average, in nanoseconds. */
val Think.meanNanos: Double get() = (minNanos + maxNanos) / 2.0

/** Pause of each user between two requests; null for none, and for an open load, which has no users. */
val Load.think: Think?
    get() = when (this) {
        is Load.Users -> think
        is Load.Loops -> think
        is Load.Open -> null
    }

/** Most requests that this load can have under way at one time; null where only the target's speed limits it. */
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

/** Highest rate of arrivals that an open load is meant to reach, per second; bursts left out. 0 for a closed load. */
val Load.fastestPerSecond: Double
    get() = when (this) {
        is Load.Rate -> ratePerSecond
        is Load.Poisson -> ratePerSecond
        is Load.Ramp -> maxOf(fromPerSecond, toPerSecond)
        is Load.Steps -> parts.maxOf { it.fastestPerSecond }
        is Load.Users, is Load.Loops, is Load.Burst -> 0.0
    }

/** The load in the words of an experiment file, for people. */
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

private fun Think?.words() = when {
    this == null -> ""
    minNanos == maxNanos -> ", thinking for ${seconds(minNanos)}"
    else -> ", thinking for ${seconds(minNanos)} to ${seconds(maxNanos)}"
}

private fun rampIn(nanos: Long) = if (nanos == 0L) "" else ", coming in over ${seconds(nanos)}"

private fun seconds(nanos: Long) = "${number(nanos / 1e9)} s"

private fun number(value: Double) =
    if (value == Math.rint(value)) {
        value.toLong().toString()
    } else {
        value.toBigDecimal().stripTrailingZeros().toPlainString()
    }

private fun usersWords(users: Int) = if (users == 1) "1 user" else "$users users"

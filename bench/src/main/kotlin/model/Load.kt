package threadgauge.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * How requests arrive at a target: the shape only, no clock.
 *
 * Durations are nanoseconds and rates are requests per second. [load/schedule][Load] turns an open shape into a
 * sequence of intended times; a closed shape has none, because each user waits for an answer first.
 */
@Serializable
sealed interface Load {
    /** [users] each send, wait for the answer, and send again, for [forNanos]. */
    @Serializable
    @SerialName("users")
    data class Users(val users: Int, val forNanos: Long) : Load

    /** [users] each send [loops] requests, one after the other. Ends when the last answer is in. */
    @Serializable
    @SerialName("loops")
    data class Loops(val users: Int, val loops: Int) : Load

    /** [ratePerSecond] requests arrive evenly for [forNanos], whether or not earlier ones were answered. */
    @Serializable
    @SerialName("rate")
    data class Rate(val ratePerSecond: Double, val forNanos: Long) : Load

    /** The rate of arrivals changes linearly from [fromPerSecond] to [toPerSecond] over [forNanos]. */
    @Serializable
    @SerialName("ramp")
    data class Ramp(val fromPerSecond: Double, val toPerSecond: Double, val forNanos: Long) : Load

    /** [requests] arrive in the same instant. With [connected], connections are opened before that instant. */
    @Serializable
    @SerialName("burst")
    data class Burst(val requests: Int, val connected: Boolean = true) : Load
}

/** Most requests that this load can have under way at one time; null where only the target's speed limits it. */
val Load.users: Int?
    get() = when (this) {
        is Load.Users -> users
        is Load.Loops -> users
        is Load.Burst -> requests
        is Load.Rate, is Load.Ramp -> null
    }

/** Length of the load in nanoseconds; null where it ends with its last request. */
val Load.lengthNanos: Long?
    get() = when (this) {
        is Load.Users -> forNanos
        is Load.Rate -> forNanos
        is Load.Ramp -> forNanos
        is Load.Loops, is Load.Burst -> null
    }

/** The load in the words of an experiment file, for people. */
fun Load.words(): String = when (this) {
    is Load.Users -> "$users users for ${seconds(forNanos)}"
    is Load.Loops -> "$users users, $loops requests each"
    is Load.Rate -> "${number(ratePerSecond)}/s for ${seconds(forNanos)}"
    is Load.Ramp -> "${number(fromPerSecond)}/s to ${number(toPerSecond)}/s in ${seconds(forNanos)}"
    is Load.Burst -> "$requests at once" + if (connected) "" else ", connecting included"
}

private fun seconds(nanos: Long) = "${number(nanos / 1e9)} s"

private fun number(value: Double) =
    if (value == Math.rint(value)) value.toLong().toString() else value.toBigDecimal().stripTrailingZeros().toPlainString()

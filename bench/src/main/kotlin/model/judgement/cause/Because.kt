package threadgauge.model.judgement.cause

import kotlinx.serialization.Serializable
import threadgauge.model.profile.ProfileGap

/**
 * Why a stack is as fast as it is in a situation: what holds its throughput, and where the latency of a request goes.
 * All of it is about the load under which the process was profiled, not about a measured one.
 */
@Serializable
data class Because(
    /** Number of the trial whose process was profiled. */
    val trial: Int,
    val holder: Holder,
    /** Parts of the mean latency, the largest first. They sum to [meanMicros]. */
    val split: List<TimePart>,
    /** Mean latency in the profiled load, in microseconds. */
    val meanMicros: Double,
    /** Mean number of requests in flight: throughput × mean latency, by Little's law. */
    val inFlight: Double,
    /**
     * What the observed parts sum to ÷ the mean latency, where that is more than 1: a request does several things at
     * the same time. The parts of [split] are divided by it.
     */
    val overlap: Double = 1.0,
    /** Groups of threads, the one with the most CPU time first. */
    val roles: List<RoleGroup> = emptyList(),
    /**
     * Throughput lost in the profiled load against the measured one of the same process, as a share: 0.03 means 3 %.
     * Negative where it was higher by chance; null where unknown.
     */
    val costShare: Double? = null,
    /** What could not be observed. */
    val gaps: List<ProfileGap> = emptyList(),
    /** What makes its places hard to read. */
    val places: List<PlaceTrouble> = emptyList(),
)

/** What makes places in the user's code hard to read. */
@Serializable
enum class PlaceTrouble {
    /** Its classes were compiled without line numbers. */
    NO_LINES,

    /** Most of its classes have names of one or two letters, as a tool gives them that makes programs small. */
    SHORT_NAMES,
}

/** A part of the mean latency of a request. */
@Serializable
data class TimePart(
    val kind: TimeKind,
    /** Per request, 0 or more. */
    val micros: Double,
    /** Where in the code; null where it has no single place. */
    val place: CodePlace? = null,
    /** Group of threads that is waited for, of [TimeKind.THREAD]. */
    val group: String? = null,
    /** The class of the lock, the name of the pool or of the database, the address of the backend; null if unknown. */
    val on: String? = null,
    /** How often a request waits for it, on average; null where waits were not counted. */
    val timesPerRequest: Double? = null,
)

/** What a request does, or waits for. */
@Serializable
enum class TimeKind {
    /** On a core. */
    CPU,

    /** Ready to run, but waiting for a core. */
    READY,

    /** Waiting until a thread of a pool, an event loop or a carrier of virtual threads is free. */
    THREAD,
    LOCK,
    CONNECTION_POOL,
    DATABASE,

    /** Another service. */
    BACKEND,

    /** Finding the address of a host by its name. */
    NAME_LOOKUP,
    FILE,
    SLEEP,

    /** A thread waits for another thread, or for a result that is made without one. */
    OTHER_THREAD,

    /** Stops of all threads for garbage collection. */
    COLLECTOR,

    /** The delay that the experiment adds to each round trip. */
    NETWORK,

    /** No thread of the process is busy with the request: it waits for a timer, or for an answer without blocking. */
    ASYNCHRONOUS,

    /** The rest: the network, the load agent, the kernel, and what the profile does not see. */
    UNACCOUNTED,
}

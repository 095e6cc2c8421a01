package threadgauge.model.judgement.cause

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What holds the throughput of a stack. Shares are from 0 to 1. */
@Serializable
sealed interface Holder {
    /** Its cores are busy. */
    @Serializable
    @SerialName("processor")
    data class Processor(
        val busyShare: Double,
        val cores: Int,
        val hottest: HotPlace?,
        /** Mean number of threads that wait for a core which another program uses; null where it has all of them. */
        val waiting: Double? = null,
    ) : Holder

    /**
     * All event loops of [group] are busy, for [busyShare] of the time. For [blockedShare] they are blocked, most of it
     * by [blocking]; where that is null, they run.
     */
    @Serializable
    @SerialName("event-loop")
    data class EventLoop(
        val group: String,
        val threads: Int,
        val busyShare: Double,
        val blockedShare: Double,
        val blocking: GroupWait?,
        /** Where they run; null where they are blocked, and where it is unknown. */
        val hottest: HotPlace? = null,
    ) : Holder

    /** All threads of a pool are busy, most of the time [doing] the same. */
    @Serializable
    @SerialName("request-threads")
    data class RequestThreads(
        val group: String,
        val role: ThreadRole,
        val threads: Int,
        val busyShare: Double,
        /** Null where they run. */
        val doing: GroupWait?,
    ) : Holder

    /** Requests wait for one lock. */
    @Serializable
    @SerialName("lock")
    data class Lock(
        /** Its class; null where unknown. */
        val of: String?,
        val place: CodePlace?,
        /** Mean number of threads that wait for it. */
        val waiting: Double,
        /** Share of the latency, without the wait for a thread. */
        val latencyShare: Double,
    ) : Holder

    /** Requests wait for a connection. */
    @Serializable
    @SerialName("connection-pool")
    data class ConnectionPool(
        val name: String?,
        val max: Int?,
        /** Mean number of threads that wait for one; null for a client whose requests wait without a thread. */
        val waiting: Double?,
        val place: CodePlace?,
        /** Share of the latency, without the wait for a thread; null where unknown. */
        val latencyShare: Double?,
    ) : Holder

    /** Requests make threads that do not end, so that there are more and more. */
    @Serializable
    @SerialName("threads")
    data class Threads(
        val group: String,
        /** At the end of the profile. */
        val threads: Int,
        /** New threads of a request, on average. */
        val perRequest: Double,
        /** Where they are started; null where unknown. */
        val place: CodePlace?,
    ) : Holder

    /** It falls behind while nothing of its own is busy, and most of the latency is a call. */
    @Serializable
    @SerialName("backend")
    data class Backend(
        /** [TimeKind.DATABASE] or [TimeKind.BACKEND]. */
        val kind: TimeKind,
        /** Its address, or the name of the database; null where unknown. */
        val on: String?,
        val place: CodePlace?,
        /** Share of the latency, without the wait for a thread. */
        val latencyShare: Double,
    ) : Holder

    /** Nothing of it is at its limit: more load would bring more throughput. */
    @Serializable
    @SerialName("load")
    data class Load(
        /** Each of whom waits for an answer before the next request; null where requests arrive by themselves. */
        val users: Int?,
        /** Mean think time of a user between two requests, in microseconds; null for none. */
        val thinkMicros: Double?,
        /** What requests wait for: the largest parts of the latency. */
        val waitsFor: List<PartShare>,
        /** Share of its cores that is busy; null where unknown. */
        val processorShare: Double?,
    ) : Holder

    /** Virtual threads block the threads that carry them. */
    @Serializable
    @SerialName("carriers-pinned")
    data class CarriersPinned(
        val carriers: Int,
        /** Share of the time of all carriers. */
        val pinnedShare: Double,
        /** As the JVM says it; null where it does not. */
        val reason: String?,
        val place: CodePlace?,
    ) : Holder

    /** Garbage collection takes so much of the time, or of the processor. */
    @Serializable
    @SerialName("collector")
    data class Collector(
        /** Share of the time in which all threads stand still; null where unknown. */
        val pauseShare: Double?,
        /** Share of the CPU time that collector threads take; null where unknown. */
        val cpuShare: Double?,
    ) : Holder

    /** No cause was found. */
    @Serializable
    @SerialName("unknown")
    data class Unknown(
        /** The largest parts of the latency. */
        val seen: List<PartShare>,
    ) : Holder
}

/** A part of the latency with its share of it. */
@Serializable
data class PartShare(val part: TimePart, val share: Double)

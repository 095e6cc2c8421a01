package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * What the doctor saw in one place, as figures. A `limit` is the one of [DoctorThresholds] that the figure passed;
 * null where it passed none. Shares are 0 to 1.
 */
@Serializable
sealed interface FindingFact {
    /** The system does not report it: no fault, and nothing to mend. */
    @Serializable
    @SerialName("unknown")
    data object Unknown : FindingFact

    /** Core numbers each side is pinned to, of [cores] in all. */
    @Serializable
    @SerialName("pinned")
    data class Pinned(val cores: Int, val target: List<Int>, val agent: List<Int>) : FindingFact

    /** Target and agent share all cores. */
    @Serializable
    @SerialName("not-pinned")
    data class NotPinned(val cores: Int, val cause: Cause) : FindingFact

    /** Why nothing is pinned. */
    @Serializable
    enum class Cause {
        /** There are too few cores. */
        @SerialName("too-few-cores") TOO_FEW_CORES,

        /** The operating system cannot. */
        @SerialName("system") SYSTEM,

        /** The program `taskset` is not installed. */
        @SerialName("no-taskset") NO_TASKSET,
    }

    /** What the control group allows, in cores; null where it sets no quota. */
    @Serializable
    @SerialName("quota")
    data class Quota(val quotaCores: Double?, val cores: Int) : FindingFact

    /** Share of the machine that was at work before anything was started. */
    @Serializable
    @SerialName("busy")
    data class Busy(val share: Double, val limit: Double? = null) : FindingFact

    /** Share of the machine's time that the hypervisor took while the agent was measured. */
    @Serializable
    @SerialName("stolen")
    data class Stolen(val share: Double, val limit: Double? = null) : FindingFact

    /** Memory that can be had without swapping. */
    @Serializable
    @SerialName("memory")
    data class Memory(val availableBytes: Long, val totalBytes: Long, val limitBytes: Long? = null) : FindingFact

    /** What is swapped out. */
    @Serializable
    @SerialName("swap")
    data class Swap(val usedBytes: Long, val limitBytes: Long? = null) : FindingFact

    /** The kernel's clock source and what it costs to read the clock once; one of both at least is known. */
    @Serializable
    @SerialName("clock")
    data class Clock(val source: String?, val readNanos: Double?, val limitNanos: Double? = null) : FindingFact

    /**
     * Speed of the slowest core as a share of its greatest. [savesPower]: the governor may slow it down, and the
     * speed is unknown.
     */
    @Serializable
    @SerialName("core-speed")
    data class CoreSpeed(
        val governor: String?,
        val share: Double?,
        val limit: Double? = null,
        val savesPower: Boolean = false,
    ) : FindingFact

    /** Requests to the internal server that failed; [silentRounds] are rounds in which not one was answered. */
    @Serializable
    @SerialName("failures")
    data class Failures(val requests: Long, val silentRounds: Int) : FindingFact

    /**
     * Range of the rounds' rates as a share of their median, and the same without the round that lies farthest from
     * it. The limit of a problem is passed by [shareWithoutFarthest], that of a note by [share].
     */
    @Serializable
    @SerialName("spread")
    data class Spread(
        val rounds: Int,
        val share: Double,
        val shareWithoutFarthest: Double,
        val limit: Double? = null,
    ) : FindingFact

    /** 1 % of the requests of the worst rate left at least so late. */
    @Serializable
    @SerialName("lateness")
    data class Lateness(val p99Micros: Double, val ratePerSecond: Double, val limitMicros: Double? = null) : FindingFact

    /** The longest time for which an event loop of the agent stood still. */
    @Serializable
    @SerialName("stall")
    data class Stall(val maxMicros: Double, val limitMicros: Double? = null) : FindingFact

    /** Files and sockets that one process may have open: as it is, and as far as it may raise it. Null: no limit. */
    @Serializable
    @SerialName("open-files")
    data class OpenFiles(val soft: Long?, val hard: Long?, val limit: Long? = null) : FindingFact

    /** Ports that connections get as their own, both ends included. */
    @Serializable
    @SerialName("ports")
    data class Ports(val first: Int, val last: Int, val limit: Long? = null) : FindingFact {
        /** How many there are. */
        val count: Int get() = last - first + 1
    }

    /** A queue of the kernel, bounded by [setting], holds at most [length] connections. */
    @Serializable
    @SerialName("queue")
    data class Queue(val setting: String, val length: Long, val limit: Long? = null) : FindingFact

    /** `net.ipv4.tcp_tw_reuse`: 0 never, 1 always, 2 on the loopback interface only. */
    @Serializable
    @SerialName("port-reuse")
    data class PortReuse(val setting: Long) : FindingFact
}

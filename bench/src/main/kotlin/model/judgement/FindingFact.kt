package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * The facts of a finding. `limit` is the exceeded limit of [DoctorThresholds]; null where none is exceeded. Shares are
 * 0 to 1.
 */
@Serializable
sealed interface FindingFact {
    /** The system does not report it. That is not a problem. */
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

    /** CPU quota of the control group, in cores; null without a quota. */
    @Serializable
    @SerialName("quota")
    data class Quota(val quotaCores: Double?, val cores: Int) : FindingFact

    /** Share of the CPU time in use before anything was started. */
    @Serializable
    @SerialName("busy")
    data class Busy(val share: Double, val limit: Double? = null) : FindingFact

    /** Share of the CPU time that the hypervisor took while the agent was measured. */
    @Serializable
    @SerialName("stolen")
    data class Stolen(val share: Double, val limit: Double? = null) : FindingFact

    /** Memory available without swapping. */
    @Serializable
    @SerialName("memory")
    data class Memory(val availableBytes: Long, val totalBytes: Long, val limitBytes: Long? = null) : FindingFact

    /** Memory that is swapped out. */
    @Serializable
    @SerialName("swap")
    data class Swap(val usedBytes: Long, val limitBytes: Long? = null) : FindingFact

    /** The kernel's clock source and the cost of reading the clock once; at least one of them is known. */
    @Serializable
    @SerialName("clock")
    data class Clock(val source: String?, val readNanos: Double?, val limitNanos: Double? = null) : FindingFact

    /**
     * Speed of the slowest core as a share of its maximum. [savesPower]: the governor may slow it down, and the speed
     * is unknown.
     */
    @Serializable
    @SerialName("core-speed")
    data class CoreSpeed(
        val governor: String?,
        val share: Double?,
        val limit: Double? = null,
        val savesPower: Boolean = false,
    ) : FindingFact

    /** Failed requests to the internal server; [silentRounds] are rounds without any answer. */
    @Serializable
    @SerialName("failures")
    data class Failures(val requests: Long, val silentRounds: Int) : FindingFact

    /**
     * Range of the rounds' rates as a share of their median, and the same without the round farthest from it.
     * [shareWithoutFarthest] decides about a problem, [share] about a note.
     */
    @Serializable
    @SerialName("spread")
    data class Spread(
        val rounds: Int,
        val share: Double,
        val shareWithoutFarthest: Double,
        val limit: Double? = null,
    ) : FindingFact

    /** Standard deviation of the ratio of two equal servers in one round, as a share. */
    @Serializable
    @SerialName("round-noise")
    data class RoundNoise(val deviation: Double, val limit: Double? = null) : FindingFact

    /** p99 send delay at the worst rate. */
    @Serializable
    @SerialName("lateness")
    data class Lateness(val p99Micros: Double, val ratePerSecond: Double, val limitMicros: Double? = null) : FindingFact

    /** The longest stall of an event loop of the agent. */
    @Serializable
    @SerialName("stall")
    data class Stall(val maxMicros: Double, val limitMicros: Double? = null) : FindingFact

    /** Limits of open files and sockets per process: soft and hard. Null: no limit. */
    @Serializable
    @SerialName("open-files")
    data class OpenFiles(val soft: Long?, val hard: Long?, val limit: Long? = null) : FindingFact

    /** Range of local ports, both ends included. */
    @Serializable
    @SerialName("ports")
    data class Ports(val first: Int, val last: Int, val limit: Long? = null) : FindingFact {
        /** Number of ports. */
        val count: Int get() = last - first + 1
    }

    /** A queue of the kernel, limited to [length] connections by [setting]. */
    @Serializable
    @SerialName("queue")
    data class Queue(val setting: String, val length: Long, val limit: Long? = null) : FindingFact

    /** `net.ipv4.tcp_tw_reuse`: 0 never, 1 always, 2 on the loopback interface only. */
    @Serializable
    @SerialName("port-reuse")
    data class PortReuse(val setting: Long) : FindingFact
}

package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The diagnosis of a [Checkup], derived from it alone. */
@Serializable
data class Diagnosis(
    /** No finding is a problem. */
    val fit: Boolean,
    val reach: Reach,
    /** Problems first, then notes, then what is fine. */
    val findings: List<Finding>,
    /** Null where two equal servers were not compared often enough. */
    val precision: Precision? = null,
)

/** The result of one check. */
@Serializable
data class Finding(val id: FindingId, val severity: Severity, val fact: FindingFact)

/** The checks of the doctor. */
@Serializable
enum class FindingId {
    @SerialName("cores") CORES,
    @SerialName("cpu-quota") CPU_QUOTA,
    @SerialName("busy-machine") BUSY_MACHINE,
    @SerialName("stolen-time") STOLEN_TIME,
    @SerialName("memory") MEMORY,
    @SerialName("swap") SWAP,
    @SerialName("clock") CLOCK,
    @SerialName("core-speed") CORE_SPEED,
    @SerialName("agent-errors") AGENT_ERRORS,
    @SerialName("spread") SPREAD,
    @SerialName("round-noise") ROUND_NOISE,
    @SerialName("sent-late") SENT_LATE,
    @SerialName("stalls") STALLS,
    @SerialName("open-files") OPEN_FILES,
    @SerialName("local-ports") LOCAL_PORTS,
    @SerialName("accept-queue") ACCEPT_QUEUE,
    @SerialName("half-open-queue") HALF_OPEN_QUEUE,
    @SerialName("port-reuse") PORT_REUSE;

    /** Stable; used in JSON: "open-files". */
    val id: String get() = name.lowercase().replace('_', '-')
}

/** Severity of a finding: a note makes some figures less certain, a problem invalidates them. */
@Serializable
enum class Severity { FINE, NOTE, PROBLEM }

/** The range of sound measurements on this machine. Null where unknown. */
@Serializable
data class Reach(
    /** Throughput of the agent with a server that does nothing: the median of its rounds. */
    val agentPerSecond: Double?,
    val agentCpuMicrosPerRequest: Double?,
    /** Up to this rate, the agent causes no doubt. */
    val soundPerSecond: Double?,
    /** Up to this rate, a measurement is suspect; above it, it is invalid. */
    val maxPerSecond: Double?,
    /** Lowest latency that the send delay does not distort, for each rate that was tried. */
    val latencies: List<LatencyReach>,
    val connectionsOfAgent: Long?,
    val connectionsOfTarget: Long?,
    /**
     * Smallest difference between two stacks that can be detected at best, with as many trials as rounds: 0.05 is 5 %.
     */
    val smallestDifference: Double?,
    /** Number of rounds. [smallestDifference] assumes as many trials of each stack. */
    val rounds: Int,
)

/** At [ratePerSecond], a median latency of [fromMicros] or more is not distorted. */
@Serializable
data class LatencyReach(val ratePerSecond: Double, val fromMicros: Double)

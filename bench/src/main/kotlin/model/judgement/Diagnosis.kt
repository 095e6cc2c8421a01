package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What a [Checkup] means: derived from it alone. */
@Serializable
data class Diagnosis(
    /** No finding is a problem. */
    val fit: Boolean,
    val reach: Reach,
    /** Problems first, then notes, then what is fine. */
    val findings: List<Finding>,
)

/** One thing that the doctor looked at, and what it saw there. */
@Serializable
data class Finding(val id: FindingId, val severity: Severity, val fact: FindingFact)

/** What the doctor looks at. */
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
    @SerialName("sent-late") SENT_LATE,
    @SerialName("stalls") STALLS,
    @SerialName("open-files") OPEN_FILES,
    @SerialName("local-ports") LOCAL_PORTS,
    @SerialName("accept-queue") ACCEPT_QUEUE,
    @SerialName("half-open-queue") HALF_OPEN_QUEUE,
    @SerialName("port-reuse") PORT_REUSE;

    /** Stable, as in JSON: "open-files". */
    val id: String get() = name.lowercase().replace('_', '-')
}

/** How bad a finding is: a note makes some figures less sure, a problem spoils them. */
@Serializable
enum class Severity { FINE, NOTE, PROBLEM }

/** How far measurements on this machine can go. Null where it is not known. */
@Serializable
data class Reach(
    /** What the agent itself did against a server that does nothing: the middle of its rounds. */
    val agentPerSecond: Double?,
    val agentCpuMicrosPerRequest: Double?,
    /** Up to here a measurement gets no doubt because of the agent. */
    val soundPerSecond: Double?,
    /** Up to here it is suspect, above it is invalid. */
    val maxPerSecond: Double?,
    /** Lowest latency that the agent's own lateness does not blur, for each rate that was tried. */
    val latencies: List<LatencyReach>,
    val connectionsOfAgent: Long?,
    val connectionsOfTarget: Long?,
    /**
     * Smallest difference between two stacks that as many trials as there were rounds could show, at best: 0.05 is 5 %.
     */
    val smallestDifference: Double?,
    /** How many rounds were made: [smallestDifference] assumes as many trials of each stack. */
    val rounds: Int,
)

/** At [ratePerSecond], a median latency of [fromMicros] or more is not blurred. */
@Serializable
data class LatencyReach(val ratePerSecond: Double, val fromMicros: Double)

package threadgauge.model.judgement

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

/** One thing that the doctor looked at. */
@Serializable
data class Finding(
    /** Stable short name, such as `open-files`. */
    val name: String,
    val severity: Severity,
    /** What was seen, with its figure and the limit. */
    val seen: String,
    /** Why it matters. */
    val why: String,
    /** How to mend it; null where nothing is wrong, or nothing can be done. */
    val remedy: String? = null,
    /** What to type for it; null where no single command does it. */
    val command: String? = null,
)

/** How bad a finding is: a note makes some figures less sure, a problem spoils them. */
@Serializable
enum class Severity { FINE, NOTE, PROBLEM }

/** How far measurements on this machine can go. Null where it cannot be told. */
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
    /** Smallest difference between two stacks that as many trials as there were rounds could show, at best: 0.05 is 5 %. */
    val smallestDifference: Double?,
)

/** At [ratePerSecond], a median latency of [fromMicros] or more is not blurred. */
@Serializable
data class LatencyReach(val ratePerSecond: Double, val fromMicros: Double)

package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/** The question of a search for the knee: what is the highest rate of arrivals at which the target meets [slo]? */
@Serializable
data class KneeQuestion(
    val slo: Slo,
    /** The search goes no lower, in requests per second. */
    val fromPerSecond: Double = 10.0,
    /** Begin at [fromPerSecond] and double, instead of beginning where a closed load says that the knee may be. */
    val climb: Boolean = false,
    /** The search goes no higher; null: only the load agent limits it. */
    val toPerSecond: Double? = null,
    /** Length of a probe near the knee, in nanoseconds. */
    val probeNanos: Long = 5_000_000_000,
    /** Most probes with an open load in one process. */
    @JsonNames("mostProbes") val maxProbes: Int = 20,
    /**
     * The search ends when the interval's upper end is no more than this above its lower end: 0.05 means five per
     * cent.
     */
    val tolerance: Double = 0.05,
    /** How many requests per second all replicas together are to serve; null where this was not asked. */
    val wantPerSecond: Double? = null,
    /** What must be left to spare: 0.3 means that replicas must be able to serve 1.3 times what is wanted. */
    val headroom: Double = 0.3,
)

/**
 * One load that was put on a target to find its knee. A closed load ([Load.Users]) shows throughput against
 * concurrency; an open one ([Load.Poisson]) is put to the goals of the question. The situation of [sample] names the
 * probe, such as `probe-07`.
 */
@Serializable
data class Probe(
    val load: Load,
    val sample: Sample,
    val connections: Connections = Connections(),
    /**
     * From the end of the load until the target answered as fast as on its own again, in milliseconds; null where it
     * never did.
     */
    val recoveryMillis: Double?,
)

package threadgauge.model.plan

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.Load
import threadgauge.model.Sample
import threadgauge.model.Slo
import threadgauge.model.request.Connections

/** The question of a search for the knee: what is the highest arrival rate at which the target meets [slo]? */
@Serializable
data class KneeQuestion(
    val slo: Slo,
    /** Lowest rate of the search, in requests per second. */
    val fromPerSecond: Double = 10.0,
    /** Start at [fromPerSecond] and double it, instead of starting near the knee that closed loads suggest. */
    val climb: Boolean = false,
    /** Highest rate of the search; null: limited only by the load agent. */
    val toPerSecond: Double? = null,
    /** Length of a probe near the knee, in nanoseconds. */
    val probeNanos: Long = 5_000_000_000,
    /** Maximum number of probes with an open load in one process. */
    @JsonNames("mostProbes") val maxProbes: Int = 20,
    /**
     * The search ends when the upper end of the interval exceeds its lower end by at most this share: 0.05 means 5 %.
     */
    val tolerance: Double = 0.05,
    /** Requests per second for all replicas together; null where sizing was not requested. */
    val wantPerSecond: Double? = null,
    /** Spare capacity: 0.3 means that replicas must be able to serve 1.3 times the wanted rate. */
    val headroom: Double = 0.3,
)

/**
 * One load of a search for the knee. A closed load ([Load.Users]) measures throughput against concurrency; an open one
 * ([Load.Poisson]) is tested against the goals. The situation of [sample] is the name of the probe, such as `probe-07`.
 */
@Serializable
data class Probe(
    val load: Load,
    val sample: Sample,
    val connections: Connections = Connections(),
    /**
     * Time from the end of the load until the target answered as fast as without load, in milliseconds; null where it
     * did not.
     */
    val recoveryMillis: Double?,
)

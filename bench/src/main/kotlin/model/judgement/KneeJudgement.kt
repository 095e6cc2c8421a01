package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.KneeQuestion
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.RunState
import threadgauge.model.doubt.Doubt

/** What a record of a search for the knee means. Derived from a [Record] alone, and never stored in it. */
@Serializable
data class KneeJudgement(
    val recordId: String,
    val state: RunState,
    /** For people: the title of the target. */
    val target: String,
    val question: KneeQuestion,
    val outcome: KneeOutcome,
    /** Null where it was not found. */
    val knee: Knee? = null,
    /** Highest rate that was kept, as it really arrived, in requests per second; null where none was. */
    val highestKept: Double? = null,
    /** Each process on its own, in order; null for one in which no knee was found. */
    val processes: List<Knee?> = emptyList(),
    /** Every load that was put on the target, in order. */
    val probes: List<JudgedProbe>,
    val sizing: Sizing? = null,
    val scalability: Scalability? = null,
    val doubts: List<Doubt> = emptyList(),
) {
    /** The slowest arrivals that broke a goal; null where nothing did. */
    val lowestBroken: JudgedProbe?
        get() = probes.filter { it.outcome == ProbeOutcome.BROKEN }.minByOrNull { it.offeredPerSecond }
}

/** How a search ended. */
@Serializable
enum class KneeOutcome {
    FOUND,

    /** Kept even at the highest rate that was allowed. */
    NEVER_BROKEN,

    /** Kept at every rate that the load agent can send; it, and not the target, was the limit. */
    AGENT_IS_THE_LIMIT,

    /** Broken even at the lowest rate. */
    NEVER_KEPT,

    /** Too little was seen. */
    CANNOT_TELL,
}

/**
 * In requests per second. It lies between [low] and [high] with 95 % confidence, where the assumptions of the search
 * hold.
 */
@Serializable
data class Knee(val perSecond: Double, val low: Double, val high: Double)

/** What came of one load. Rates are requests per second, latencies microseconds. */
@Serializable
data class JudgedProbe(
    val trial: Int,
    /** As the sample names it. */
    val name: String,
    val load: Load,
    /** What really arrived at the agent; what a closed load sent. */
    val offeredPerSecond: Double,
    val answeredPerSecond: Double,
    val latency: Latency,
    val errorShare: Double,
    /** Null for a closed load, which is put to no goal. */
    val outcome: ProbeOutcome? = null,
    /** What decided the outcome. Empty where every goal was kept. */
    val reasons: List<ProbeReason> = emptyList(),
    /** What makes the outcome less sure. */
    val notes: List<ProbeNote> = emptyList(),
    /** File of its histograms, in the record's folder. */
    val hlog: String,
)

/** How a probe fared. */
@Serializable
enum class ProbeOutcome {
    KEPT,
    BROKEN,

    /** The load agent was too busy, so the target cannot be blamed, and nothing faster can be measured. */
    AGENT,

    /** The load agent was held up for a moment, so the target cannot be blamed; the rate may be tried again. */
    LATE,
}

/** How many replicas a wanted rate takes: ⌈[wantPerSecond] × (1 + [headroom]) ÷ [eachPerSecond]⌉. */
@Serializable
data class Sizing(
    val wantPerSecond: Double,
    val headroom: Double,
    /** What one replica is trusted with: the lower end of the knee's interval. */
    val eachPerSecond: Double,
    val replicas: Long,
    /** Cores that a replica had; null where target and agent shared them. */
    val coresEach: Int?,
    /** Fewer may do: the knee was not reached. */
    val atMost: Boolean,
)

/**
 * The Universal Scalability Law, fitted to throughput X at concurrency N: X(N) = λN / (1 + σ(N−1) + κN(N−1))
 * (Gunther, *Guerrilla Capacity Planning*, 2007).
 */
@Serializable
data class Scalability(
    val points: List<ScalabilityPoint>,
    /** Fewer concurrencies than these have no fit. */
    val minPoints: Int,
    /** Null where there are too few points. */
    val fit: ScalabilityFit? = null,
)

/** Correct answers per second with so many requests under way at a time. */
@Serializable
data class ScalabilityPoint(val concurrency: Int, val perSecond: Double, val probe: String, val trial: Int)

/** Parameters with their intervals at 95 %, by bootstrap. */
@Serializable
data class ScalabilityFit(
    /** λ: answers per second with one request at a time. */
    val lambda: Estimated,
    /** σ: share of the work that queues for something that can serve one at a time. */
    val sigma: Estimated,
    /** κ: cost of each pair that must agree. */
    val kappa: Estimated,
    /** Share of the variation of throughput that the law explains; 1 is all. */
    val rSquared: Double,
    /** Typical distance of a point from the curve, as a share: 0.05 means five per cent. */
    val typicalError: Double,
    /** Both are within [ScalabilityThresholds], so the parameters mean something. */
    val good: Boolean,
    /** Concurrency with the highest throughput, √((1 − σ) / κ); null where the curve has no peak. */
    val peakConcurrency: Double? = null,
    /** Throughput there. */
    val peakPerSecond: Double? = null,
    /** The peak lies among the concurrencies that were measured. */
    val peakWasMeasured: Boolean = false,
    /** The curve with its band, over the concurrencies that were measured and no others. */
    val curve: List<CurvePoint>,
)

/** A value with its interval. */
@Serializable
data class Estimated(val value: Double, val low: Double, val high: Double)

/** The fitted throughput at [concurrency], and where it lies with 95 % confidence. */
@Serializable
data class CurvePoint(val concurrency: Double, val perSecond: Double, val low: Double, val high: Double)

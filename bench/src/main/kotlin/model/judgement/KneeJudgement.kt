package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.RunState
import threadgauge.model.doubt.Doubt
import threadgauge.model.plan.KneeQuestion

/**
 * The judgement of a search for the knees of [targets], in the order in which they were asked for: one or more. Derived
 * from a [Record] alone, and never stored in it.
 */
data class KneesJudgement(
    val targets: List<KneeJudgement>,
    /** The first target with each other, where both could be compared. */
    val comparisons: List<KneeComparison>,
    /** The processes were not alive together, but searched one after the other. */
    val inTurns: Boolean = false,
)

/** How many times the knee of [other] that of [target] is. Both are titles. */
@Serializable
data class KneeComparison(
    val target: String,
    val other: String,
    /** Null where one of the two met its goals at every rate tried, so that there is only a bound. */
    val ratio: Double?,
    /** 95 % interval of the ratio, for all comparisons together; null on the side where a bound is open. */
    val low: Double?,
    val high: Double?,
    /** MORE where [target] takes the higher rate, by at least the margin. */
    val outcome: ComparisonOutcome,
    /** Pairs of processes that were alive together and in which both knees were found. */
    val blocks: Int,
)

/** The judgement of the search for the knee of one target. */
@Serializable
data class KneeJudgement(
    val recordId: String,
    val state: RunState,
    /** The title of the target. */
    val target: String,
    val question: KneeQuestion,
    val outcome: KneeOutcome,
    /** Null where no knee was found. */
    val knee: Knee? = null,
    /** Highest actual arrival rate that met the goals, in requests per second; null where none did. */
    val highestKept: Double? = null,
    /** The knee of each process, in order; null where none was found. */
    val processes: List<Knee?> = emptyList(),
    /** All loads on the target, in order. */
    val probes: List<JudgedProbe>,
    val sizing: Sizing? = null,
    val scalability: Scalability? = null,
    val doubts: List<Doubt> = emptyList(),
) {
    /** The lowest rate that missed a goal; null where none did. */
    val lowestBroken: JudgedProbe?
        get() = probes.filter { it.outcome == ProbeOutcome.BROKEN }.minByOrNull { it.offeredPerSecond }
}

/** Outcome of a search. */
@Serializable
enum class KneeOutcome {
    FOUND,

    /** Goals met even at the highest allowed rate. */
    NEVER_BROKEN,

    /** Goals met at every rate that the load agent can send, so the agent was the limit. */
    AGENT_IS_THE_LIMIT,

    /** Goals missed even at the lowest rate. */
    NEVER_KEPT,

    /** The probes are inconclusive. */
    CANNOT_TELL,
}

/** In requests per second, between [low] and [high] with 95 % confidence, under the assumptions of the search. */
@Serializable
data class Knee(val perSecond: Double, val low: Double, val high: Double)

/** The result of one load. Rates are requests per second, latencies microseconds. */
@Serializable
data class JudgedProbe(
    val trial: Int,
    /** The name in the sample. */
    val name: String,
    val load: Load,
    /** The actual arrival rate; for a closed load the rate of sending. */
    val offeredPerSecond: Double,
    val answeredPerSecond: Double,
    val latency: Latency,
    val errorShare: Double,
    /** Null for a closed load, which has no goals. */
    val outcome: ProbeOutcome? = null,
    /** Reasons of the outcome. Empty where every goal was met. */
    val reasons: List<ProbeReason> = emptyList(),
    /** Notes that make the outcome less certain. */
    val notes: List<ProbeNote> = emptyList(),
    /** File of its histograms, in the record's folder. */
    val hlog: String,
)

/** Outcome of a probe. */
@Serializable
enum class ProbeOutcome {
    KEPT,
    BROKEN,

    /** The load agent was too busy: the probe says nothing about the target, and higher rates cannot be measured. */
    AGENT,

    /**
     * The load agent was delayed for a moment: the probe says nothing about the target, and the rate may be tried
     * again.
     */
    LATE,
}

/** Number of replicas for a rate: ⌈[wantPerSecond] × (1 + [headroom]) ÷ [eachPerSecond]⌉. */
@Serializable
data class Sizing(
    val wantPerSecond: Double,
    val headroom: Double,
    /** Rate of one replica: the lower end of the knee's interval. */
    val eachPerSecond: Double,
    val replicas: Long,
    /** Cores of a replica; null where target and agent shared them. */
    val coresEach: Int?,
    /** Fewer may be enough, because the knee was not reached. */
    val atMost: Boolean,
)

/**
 * The Universal Scalability Law, fitted to throughput X at concurrency N: X(N) = λN / (1 + σ(N−1) + κN(N−1))
 * (Gunther, *Guerrilla Capacity Planning*, 2007).
 */
@Serializable
data class Scalability(
    val points: List<ScalabilityPoint>,
    /** Minimum number of concurrencies for a fit. */
    val minPoints: Int,
    /** Null where there are too few points. */
    val fit: ScalabilityFit? = null,
)

/** Correct answers per second at a concurrency. */
@Serializable
data class ScalabilityPoint(val concurrency: Int, val perSecond: Double, val probe: String, val trial: Int)

/** Parameters with 95 % intervals, by bootstrap. */
@Serializable
data class ScalabilityFit(
    /** λ: answers per second at a concurrency of 1. */
    val lambda: Estimated,
    /** σ: serial share of the work. */
    val sigma: Estimated,
    /** κ: coordination cost per pair of requests. */
    val kappa: Estimated,
    /** Share of the variation of throughput that the law explains; 1 is all. */
    val rSquared: Double,
    /** Typical distance of a point from the curve, as a share: 0.05 means 5 %. */
    val typicalError: Double,
    /** Both are within [ScalabilityThresholds], so the parameters are meaningful. */
    val good: Boolean,
    /** Concurrency with the highest throughput, √((1 − σ) / κ); null where the curve has no peak. */
    val peakConcurrency: Double? = null,
    /** Throughput there. */
    val peakPerSecond: Double? = null,
    /** The peak is within the measured concurrencies. */
    val peakWasMeasured: Boolean = false,
    /** The curve with its band, over the measured concurrencies only. */
    val curve: List<CurvePoint>,
)

/** A value with its interval. */
@Serializable
data class Estimated(val value: Double, val low: Double, val high: Double)

/** The fitted throughput at [concurrency], with its 95 % interval. */
@Serializable
data class CurvePoint(val concurrency: Double, val perSecond: Double, val low: Double, val high: Double)

package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.ConcurrencyModel
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.claim.Source
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtId

/** What a record means. Derived from a [Record] alone, and never stored in it. */
@Serializable
data class Judgement(
    val recordId: String,
    val question: String,
    val state: RunState,
    /** Too few trials for intervals: no winner is named. */
    val indicative: Boolean,
    val situations: List<SituationJudgement>,
    /** Doubts about the whole run. */
    val doubts: List<Doubt> = emptyList(),
    /** For requests that were put under several loads: what becomes of the verdict from load to load. */
    val ranges: List<LoadRange> = emptyList(),
    /** Where the claims come from. */
    val source: Source? = null,
    /** In the order of the experiment. */
    val claims: List<ClaimJudgement> = emptyList(),
)

/** What the record says about one situation: the verdict, and the figures it stands on. */
@Serializable
data class SituationJudgement(
    val situation: Situation,
    val verdict: Verdict,
    /** In the order of the plan. */
    val cells: List<CellJudgement>,
    /**
     * Every pair of cells that was to be compared and could be, by throughput. Where there are baselines,
     * [Comparison.other] is one.
     */
    val comparisons: List<Comparison>,
    /** The same pairs by latency and by what they cost. */
    val otherComparisons: List<Comparison> = emptyList(),
    /** By what the verdict was given: throughput, or latency where the load asks for no more than all can serve. */
    val decidedBy: Compared = Compared.THROUGHPUT,
    /** Smallest difference that counts: 0.03 means three per cent. */
    val margin: Double,
    /** Stacks that failed too many requests, the worst first. */
    val failing: List<FailingStack> = emptyList(),
    /** In microseconds of CPU per request; null where no stack surely needs least. */
    val leastCpu: Cheapest? = null,
    /** In megabytes; null where no stack surely needs least. */
    val leastMemory: Cheapest? = null,
)

/** A stack in a situation. Figures are over its trials. */
@Serializable
data class CellJudgement(
    val stack: String,
    val title: String,
    val model: ConcurrencyModel,
    val validity: Validity,
    val doubts: List<Doubt>,
    val ceilings: List<Ceiling>,
    /** Number of trials that were measured. */
    val trials: Int,
    /** Correct answers per second. Null, like every figure here, where nothing was measured. */
    val throughput: Figure? = null,
    val p50Millis: Figure? = null,
    val p90Millis: Figure? = null,
    val p99Millis: Figure? = null,
    /** Failed requests of all requests, 0 to 1. */
    val errorShare: Figure? = null,
    val cpuMicrosPerRequest: Figure? = null,
    val switchesPerRequest: Figure? = null,
    /**
     * What its JVM allocated, in thousands of bytes. Null as well where the JVM could not be asked, or was one of
     * several.
     */
    val allocatedKilobytesPerRequest: Figure? = null,
    val rssMegabytes: Figure? = null,
    val threads: Figure? = null,
    val bootMillis: Figure? = null,
    /**
     * From the start of the warm-up to the first iteration near full speed; null where it was never reached, or in
     * older records.
     */
    val timeToPeakMillis: Figure? = null,
) {
    /** So many of its requests failed that its figures are in no verdict. */
    val isFailing: Boolean get() = doubts.any { it.id == DoubtId.FAILURES && it.validity == Validity.INVALID }

    /** Every request of every trial failed. */
    val hasOnlyFailed: Boolean get() = errorShare?.values?.all { it >= 1.0 } == true

    /** The load was too short for the answers to come in. */
    val isTooShort: Boolean get() = doubts.any { it.id == DoubtId.SHORT_WINDOW && it.validity == Validity.INVALID }
}

/**
 * The median over trials; for a percentile of latency the percentile of all requests of all trials together. With its
 * interval at 95 %, null where there are fewer than three trials. [values] are the trials' own figures in order, so
 * that every number can be traced.
 */
@Serializable
data class Figure(val value: Double, val low: Double? = null, val high: Double? = null, val values: List<Double>)

/** How far a figure can be trusted. A suspect one is shown with its doubts, an invalid one takes part in no verdict. */
@Serializable
enum class Validity { VALID, SUSPECT, INVALID }

/** [stack] ÷ [other]; the interval is at 95 % after allowing for the number of comparisons. */
@Serializable
data class Comparison(
    val stack: String,
    val other: String,
    val ratio: Double,
    val low: Double? = null,
    val high: Double? = null,
    val outcome: ComparisonOutcome,
    val of: Compared = Compared.THROUGHPUT,
    /**
     * Trials of each stack that would be enough to tell, if they go on to vary as they did. Null where it is told
     * already, and where a hundred would not do.
     */
    val trialsToTell: Int? = null,
    /** The ratio is what it would be, had the core been as fast for both: see [Surroundings.referenceDuringMicros]. */
    val onEqualCores: Boolean = false,
)

/** What stacks are compared by, and whether more of it is better. */
@Serializable
enum class Compared(val moreIsBetter: Boolean = false) {
    THROUGHPUT(moreIsBetter = true),
    P50,
    P99,
    CPU,
    MEMORY,
    ALLOCATED,
}

/** How the first of two stacks compares with the second, by at least the experiment's margin. */
@Serializable
enum class ComparisonOutcome { MORE, LESS, NO_DIFFERENCE, CANNOT_TELL }

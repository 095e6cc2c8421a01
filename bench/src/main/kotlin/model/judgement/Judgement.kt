package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.ConcurrencyModel
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.claim.Source

/** What a record means. Derived from a [Record] alone, and never stored in it. */
@Serializable
data class Judgement(
    val recordId: String,
    val question: String,
    val state: RunState,
    /** Too few trials for intervals: no winner is named. */
    val indicative: Boolean,
    /** One sentence for each situation, which together answer the question. */
    val answer: List<String>,
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

/** One request under rising loads: over which of them a verdict holds, and where it turns. */
@Serializable
data class LoadRange(
    /** "GET /delay/100" */
    val request: String,
    /** By rising load. */
    val steps: List<LoadStep>,
    /** One sentence: where who serves most, and between which loads that changes. */
    val words: String,
)

/** One load of a [LoadRange]. [leaders] are those that no other surely beats; empty where nothing could be told. */
@Serializable
data class LoadStep(val situation: String, val load: String, val leaders: List<String>)

/** What the record says about one situation: the verdict, and the figures it stands on. */
@Serializable
data class SituationJudgement(
    val situation: Situation,
    val verdict: Verdict,
    /** In the order of the plan. */
    val cells: List<CellJudgement>,
    /** Every pair of cells that was to be compared and could be, by throughput. Where there are baselines, [Comparison.other] is one. */
    val comparisons: List<Comparison>,
    /** The same pairs by latency and by what they cost. */
    val otherComparisons: List<Comparison> = emptyList(),
    /** By what the verdict was given: throughput, or latency where the load asks for no more than all can serve. */
    val decidedBy: Compared = Compared.THROUGHPUT,
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
    /** What its JVM allocated, in thousands of bytes. Null as well where the JVM could not be asked, or was one of several. */
    val allocatedKilobytesPerRequest: Figure? = null,
    val rssMegabytes: Figure? = null,
    val threads: Figure? = null,
    val bootMillis: Figure? = null,
    /** From the start of the warm-up to the first iteration near full speed; null where it was never reached, or in older records. */
    val timeToPeakMillis: Figure? = null,
) {
    /** So many of its requests failed that its figures are in no verdict. */
    val isFailing: Boolean get() = doubts.any { it.name == FAILURES && it.validity == Validity.INVALID }
}

/** Name of the doubt that requests failed. */
const val FAILURES = "failures"

/**
 * The median over trials; for a percentile of latency the percentile of all requests of all trials together. With its
 * interval at 95 %, null where there are fewer than three trials. [values] are the trials' own figures in order, so that
 * every number can be traced.
 */
@Serializable
data class Figure(val value: Double, val low: Double? = null, val high: Double? = null, val values: List<Double>)

/** How far a figure can be trusted. A suspect one is shown with its doubts, an invalid one takes part in no verdict. */
@Serializable
enum class Validity { VALID, SUSPECT, INVALID }

/** Something that makes a number less sure, with what the user can do. See `judge/` for all of them. */
@Serializable
data class Doubt(
    /** Stable short name, such as `littles-law`. */
    val name: String,
    /** What was seen, with its figure and the threshold. */
    val seen: String,
    /** What to do about it. */
    val remedy: String,
    val validity: Validity,
    /** Why the threshold is where it is: the rule's formula, measurement or publication. */
    val source: String = "",
)

/** A bound on throughput that no concurrency model can pass. At the ceiling of a setting a result was decided by that setting. */
@Serializable
data class Ceiling(
    /** How it comes about: "200 threads ÷ 100 ms". */
    val words: String,
    val requestsPerSecond: Double,
    /** The result is within a tenth of it. */
    val reached: Boolean,
    /** A setting makes it, so that another setting would move it; otherwise the processor does. */
    val bySetting: Boolean = true,
)

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
     * Trials of each stack that would be enough to tell, if they go on to vary as they did. Null where it is told already, and
     * where a hundred would not do.
     */
    val trialsToTell: Int? = null,
    /** The ratio is what it would be, had the core been as fast for both: see [Surroundings.referenceDuringMicros]. */
    val onEqualCores: Boolean = false,
)

/** What stacks are compared by, and whether more of it is better. */
@Serializable
enum class Compared(val words: String, val moreIsBetter: Boolean = false) {
    THROUGHPUT("throughput", moreIsBetter = true),
    P50("median latency"),
    P99("p99 latency"),
    CPU("CPU per request"),
    MEMORY("memory"),
    ALLOCATED("allocation per request"),
}

/** How the first of two stacks compares with the second, by at least the experiment's margin. */
@Serializable
enum class ComparisonOutcome { MORE, LESS, NO_DIFFERENCE, CANNOT_TELL }

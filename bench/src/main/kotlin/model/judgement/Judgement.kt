package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.ConcurrencyModel
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.claim.Source
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.plan.Plateau
import threadgauge.model.profile.NoProfile

/** The judgement of a record. Derived from a [Record] alone, and never stored in it. */
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
    /** All doubts, those of cells and those about the whole run, by their causes, the worst first. */
    val causes: List<DoubtCause> = emptyList(),
    /** For requests under several loads: how the verdict depends on the load. */
    val ranges: List<LoadRange> = emptyList(),
    /** Source of the claims. */
    val source: Source? = null,
    /** In the order of the experiment. */
    val claims: List<ClaimJudgement> = emptyList(),
    /** By situation, then by stack, then in the order of [threadgauge.model.Slo.goals]. */
    val goals: List<GoalJudgement> = emptyList(),
    /** What would make a service faster, by request; empty where the run does not ask for it. */
    val advice: List<Advice> = emptyList(),
    /** Changes that the run carried out, beside what was predicted of them. */
    val proofs: List<ProvenChange> = emptyList(),
)

/** The judgement of one situation: the verdict and its figures. */
@Serializable
data class SituationJudgement(
    val situation: Situation,
    val verdict: Verdict,
    /** In the order of the plan. */
    val cells: List<CellJudgement>,
    /** All pairs of comparable cells, by throughput. With baselines, [Comparison.other] is one. */
    val comparisons: List<Comparison>,
    /** The same pairs by latency and by costs. */
    val otherComparisons: List<Comparison> = emptyList(),
    /** The deciding figure: throughput, or latency where all stacks serve the whole load. */
    val decidedBy: Compared = Compared.THROUGHPUT,
    /** Smallest difference that counts, as a share: 0.03 means 3 %. */
    val margin: Double,
    /** Stacks that failed too many requests, the worst first. */
    val failing: List<FailingStack> = emptyList(),
    /** In microseconds of CPU per request; null where no stack has the least by more than the margin. */
    val leastCpu: Cheapest? = null,
    /** In megabytes; null where no stack has the least by more than the margin. */
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
    /** Number of measured trials. */
    val trials: Int,
    /** Correct answers per second. Null, like every figure here, where nothing was measured. */
    val throughput: Figure? = null,
    val p50Millis: Figure? = null,
    val p90Millis: Figure? = null,
    val p99Millis: Figure? = null,
    /** Failed requests as a share of all, 0 to 1. */
    val errorShare: Figure? = null,
    val cpuMicrosPerRequest: Figure? = null,
    val switchesPerRequest: Figure? = null,
    /**
     * Allocation of its JVM, in thousands of bytes. Also null where the JVM could not be observed, or was one of
     * several.
     */
    val allocatedKilobytesPerRequest: Figure? = null,
    val rssMegabytes: Figure? = null,
    val threads: Figure? = null,
    val bootMillis: Figure? = null,
    /** Of its typical process, at the end of the warm-up; null where its curve says nothing about it. */
    val plateau: Plateau? = null,
    /**
     * From the start of the warm-up to the first iteration near the steady rate; null where that was never reached, and
     * in older records.
     */
    val timeToPeakMillis: Figure? = null,
    /** In the order of the situation's scenarios; empty without scenarios. */
    val scenarios: List<ScenarioJudgement> = emptyList(),
    /** Why it is as fast as it is, from the first trial with a profile; null where no trial has one. */
    val because: Because? = null,
    /** Why [because] is missing although causes were looked for; null where it is not, and where nobody looked. */
    val noCause: NoProfile? = null,
) {
    /** Too many requests failed, so its figures are in no verdict. */
    val isFailing: Boolean get() = doubts.any { it.id == DoubtId.FAILURES && it.validity == Validity.INVALID }

    /** Every request of every trial failed. */
    val hasOnlyFailed: Boolean get() = errorShare?.values?.all { it >= 1.0 } == true

    /** The load was too short for the answers to come in. */
    val isTooShort: Boolean get() = doubts.any { it.id == DoubtId.SHORT_WINDOW && it.validity == Validity.INVALID }
}

/**
 * The median over trials; a percentile of latency is over the requests of all trials. With its 95 % interval, which is
 * null for fewer than three trials. [values] are the figures of the trials in order, so that every number can be
 * traced.
 */
@Serializable
data class Figure(val value: Double, val low: Double? = null, val high: Double? = null, val values: List<Double>)

/** Trust in a figure. A suspect one is shown with its doubts; an invalid one takes part in no verdict. */
@Serializable
enum class Validity { VALID, SUSPECT, INVALID }

/** [stack] ÷ [other], with the 95 % interval after correction for the number of comparisons. */
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
     * Trials of each stack that are enough for an outcome, if trials go on to vary as before. Null where there is one
     * already, and where a hundred are too few.
     */
    val trialsToTell: Int? = null,
    /** The ratio is corrected for core speed: see [Surroundings.referenceDuringMicros]. */
    val onEqualCores: Boolean = false,
    /** Null where the figure was not compared in rounds. */
    val rounds: RoundsSeen? = null,
)

/** Figures by which stacks are compared, and whether more is better. */
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

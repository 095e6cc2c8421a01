package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.RunState

/**
 * How far a run has come, and its figures so far: no intervals, doubts or verdicts, which need the whole run. Derived
 * from a record alone.
 */
@Serializable
data class RunProgress(
    /** Name of the record. */
    val record: String,
    val experiment: String,
    val question: String,
    /** Null where the run has no name. */
    val savedAs: String? = null,
    val state: RunState,
    /** ISO 8601 instants, UTC. [endedAt] is null while the run is in progress. */
    val startedAt: String,
    val endedAt: String? = null,
    /** Trials of the plan. Where it [plansItself], the most that it may need. */
    val planned: Int,
    val plansItself: Boolean,
    /** Trials that have ended with figures. */
    val measured: Int,
    /** Trials that have ended without. */
    val failed: Int,
    /** In the order of their start. Empty between two blocks. */
    val underWay: List<TrialProgress>,
    /** By situation, then by stack, in the order of the plan. Empty for a search for the knee. */
    val cells: List<CellProgress>,
    /** Of a search for the knee, in the order of the search. Empty for any other run. */
    val probes: List<ProbeProgress>,
)

/** A trial under way. */
@Serializable
data class TrialProgress(val stack: String, val number: Int, val step: TrialStep)

/** What a trial is doing, as far as its record shows it. */
@Serializable
enum class TrialStep { STARTING, WARMING_UP, MEASURING }

/** Figures of a stack in a situation so far: the median of its trials, percentiles over the requests of all trials. */
@Serializable
data class CellProgress(
    val situation: String,
    val stack: String,
    /** Trials with figures, of which the last may still grow. */
    val trials: Int,
    /** Requests with a correct answer, and without. */
    val answered: Long,
    val failed: Long,
    /** Correct answers per second; null before the first. */
    val perSecond: Double? = null,
    val p50Millis: Double? = null,
    val p90Millis: Double? = null,
    val p99Millis: Double? = null,
    /** Null where the process cannot be observed. */
    val cpuMicrosPerRequest: Double? = null,
    /** The newest slices of load. Without rounds: the seconds of the newest trial. */
    val latest: List<LoadPoint> = emptyList(),
)

/** A slice of load, or a second of it. [part] is the round, counted from 1, or the second, counted from 0. */
@Serializable
data class LoadPoint(
    val trial: Int,
    val part: Int,
    val perSecond: Double,
    /** Null without answers. */
    val p50Millis: Double? = null,
    val p99Millis: Double? = null,
)

/** A probe of a search for the knee. */
@Serializable
data class ProbeProgress(val stack: String, val probe: JudgedProbe)

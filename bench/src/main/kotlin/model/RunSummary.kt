package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.request.StepName

/**
 * What a list or a history of runs needs of one, so that nobody has to read and judge a thousand records. Derived from
 * a record alone, and made again where it is missing.
 */
@Serializable
data class RunSummary(
    /** Version of the format; another one is made again. */
    val schema: Int = SCHEMA,
    /** Of the record: the name of its folder. */
    val id: String,
    val experiment: String,
    val question: String,
    /** The name under which the run was saved, such as that of a branch; null without one. */
    val savedAs: String? = null,
    /** ISO 8601 instant, UTC. */
    val startedAt: String,
    val state: RunState,
    val isKnee: Boolean = false,
    val isMap: Boolean = false,
    /** Null for a search for the knee, and for a map. */
    val gate: GateResult? = null,
    val cpu: String,
    val cores: Int,
    val java: String,
    val kernel: String,
    val threadgauge: String,
    /** Throughput of the load agent with its internal server just before the run; null where it was skipped. */
    val agentPerSecond: Double? = null,
    val stacks: List<String>,
    /** Last, so that a reader who needs no figures can stop before them. */
    val situations: List<SummarisedSituation>,
) {
    /** Stacks were compared in situations. */
    val comparesSituations: Boolean get() = !isKnee && !isMap

    companion object {
        /** 2: validity without doubts that intervals contain. 3: steps. */
        const val SCHEMA = 3
    }
}

/** A situation of a run. Two of the same [asked] ask for the same requests under the same load. */
@Serializable
data class SummarisedSituation(
    val name: String,
    val words: String,
    /** Fingerprint of the request, its load and its connections. */
    val asked: String,
    val cells: List<SummarisedCell>,
)

/** Figures of a stack in a situation, with their intervals. */
@Serializable
data class SummarisedCell(
    val stack: String,
    val validity: Validity,
    val figures: Map<Compared, SummarisedFigure>,
    /** In the order of the scenarios; empty without scenarios. */
    val steps: List<SummarisedStep> = emptyList(),
)

/** Latencies of a step, in milliseconds. */
@Serializable
data class SummarisedStep(val step: StepName, val figures: Map<Compared, SummarisedFigure>)

/** A figure in the unit of [threadgauge.model.judgement.CellJudgement]; without an interval for too few trials. */
@Serializable
data class SummarisedFigure(val value: Double, val low: Double? = null, val high: Double? = null)

package threadgauge.model.judgement.advice

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Proof
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.cause.CodePlace

/** What would make a service faster for one request, and what would not. Derived from its profile. */
@Serializable
data class Advice(
    val stack: String,
    /** The load that shows best what holds it. */
    val situation: String,
    /** As measured, not as profiled. */
    val now: Operation,
    /** All limits that are known, the lowest first. */
    val limits: List<ServiceLimit>,
    /** Those that gain most first, then those that gain nothing, then those of which nothing can be predicted. */
    val changes: List<AdvisedChange>,
)

/** A limit of throughput: [count] at a time, each for [holdMicros] of every request (utilization law). */
@Serializable
data class ServiceLimit(
    val resource: LimitedResource,
    /** Of the group of threads, the pool or the lock; null where it has none. */
    val name: String? = null,
    /** Null for arrivals. */
    val count: Double? = null,
    /** How long a request holds one of them, in microseconds; null for arrivals. */
    val holdMicros: Double? = null,
    /** Answers per second at which it is used up. */
    val perSecond: Double,
    /** [count] was not reported but follows from what was seen. */
    val isEstimated: Boolean = false,
)

/** A change of the catalogue that exists for this service. */
@Serializable
data class AdvisedChange(
    val change: KnownChange,
    /** Size of the resource now; null where it is unknown or has none. */
    val from: Double? = null,
    /** And after the change; null for no limit. */
    val to: Double? = null,
    /** What to set, as a user types it; null where code must be changed. */
    val setting: String? = null,
    /** Where in the code; null where there is no place, and for settings. */
    val place: CodePlace? = null,
    val outcome: ChangeOutcome,
)

/** What a change is expected to come to. */
@Serializable
sealed interface ChangeOutcome {
    /** More throughput, up to [next], which then limits it. */
    @Serializable
    @SerialName("gain")
    data class Gain(val prediction: Prediction, val next: ServiceLimit?) : ChangeOutcome

    /** Nothing to gain, because [limit] stands. */
    @Serializable
    @SerialName("nothing")
    data class Nothing(val prediction: Prediction, val limit: ServiceLimit?) : ChangeOutcome

    /** Nothing can be predicted: only measuring tells. */
    @Serializable
    @SerialName("unknown")
    data object Unknown : ChangeOutcome
}

/** A prediction beside what was measured. */
@Serializable
data class ProvenChange(
    val proof: Proof,
    val title: String,
    /** Answers per second with the change; null where it could not be measured. */
    val measured: Figure? = null,
    /** With the change ÷ without, with its interval; null where it was not compared. */
    val ratio: Figure? = null,
    /**
     * The measured ratio is within 20 % of the predicted one; for a prediction of a best case, it is no more than 20 %
     * above it; for one of code that is not compiled yet, it is no more than 20 % below the least and above the most.
     * Null where nothing was measured.
     */
    val isWithin: Boolean? = null,
    /** The process with the change was seen without its effect: the size was the old one. */
    val hadNoEffect: Boolean = false,
)

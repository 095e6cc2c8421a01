package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.ConcurrencyModel
import threadgauge.model.plan.Plateau
import threadgauge.model.plan.WarmUp

/** Doubts about the target: whether it was warm, and whether it used the model that it claims. */
@Serializable
sealed interface TargetDoubt : DoubtFacts {
    /** How the warm-up ended, without its iterations. [plateau] is null where its curve says nothing about one. */
    @Serializable
    @SerialName("not-steady")
    data class NotSteady(val warmUp: WarmUp, val plateau: Plateau? = null) : TargetDoubt {
        override val id get() = DoubtId.NOT_STEADY
    }

    /**
     * Its resident memory grew while it was measured, from [fromBytes] in the first third to [toBytes] in the last, and
     * was still growing. [limit] is the share of growth.
     */
    @Serializable
    @SerialName("growing-memory")
    data class GrowingMemory(val fromBytes: Long, val toBytes: Long, val limit: Double) : TargetDoubt {
        override val id get() = DoubtId.GROWING_MEMORY
    }

    /** [stack] claims one model and ran its handler on a [thread] of the other kind. */
    @Serializable
    @SerialName("mislabelled-model")
    data class MislabelledModel(val stack: String, val claimed: ConcurrencyModel, val thread: String) : TargetDoubt {
        override val id get() = DoubtId.MISLABELLED_MODEL
    }

    /** Collectors report more work than fits into the window on all cores. */
    @Serializable
    @SerialName("impossible-counter")
    data class ImpossibleCounter(val collectionMillis: Double, val windowMillis: Double) : TargetDoubt {
        override val id get() = DoubtId.IMPOSSIBLE_COUNTER
    }
}

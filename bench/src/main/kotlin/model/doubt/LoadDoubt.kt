package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.Outcome
import threadgauge.model.failure.Failure

/** Doubts about the load and its answers. */
@Serializable
sealed interface LoadDoubt : DoubtFacts {
    /** Rate × mean latency as a share of [users]: 1 where Little's law holds exactly. */
    @Serializable
    @SerialName("littles-law")
    data class LittlesLaw(val share: Double, val users: Double, val limit: Double) : LoadDoubt {
        override val id get() = DoubtId.LITTLES_LAW
    }

    /** Failed and unanswered requests as a share of all, and how many of each kind. */
    @Serializable
    @SerialName("failures")
    data class Failures(
        val share: Double,
        val limit: Double,
        val kinds: Map<Outcome, Long>,
        val unfinished: Long,
        val unsent: Long,
    ) : LoadDoubt {
        override val id get() = DoubtId.FAILURES
    }

    /**
     * How long the target processed abandoned requests of the previous load; null where it was still busy after the
     * longest wait.
     */
    @Serializable
    @SerialName("left-over")
    data class LeftOver(val millis: Double?, val longestWaitMinutes: Int) : LoadDoubt {
        override val id get() = DoubtId.LEFT_OVER
    }

    /** Number of answers; p99 needs [needed]. */
    @Serializable
    @SerialName("few-samples")
    data class FewSamples(val count: Long, val needed: Long) : LoadDoubt {
        override val id get() = DoubtId.FEW_SAMPLES
    }

    /**
     * The load was too short for its answers. How long they took from sending, at the quickest and typically; null
     * where none came. [limit] is the share of the window that the quickest may take.
     */
    @Serializable
    @SerialName("short-window")
    data class ShortWindow(
        val windowMillis: Double,
        val quickestMillis: Double?,
        val typicalMillis: Double?,
        val limit: Double,
    ) : LoadDoubt {
        override val id get() = DoubtId.SHORT_WINDOW
    }

    /** Mean length of an answer of this stack, and the median of all stacks. */
    @Serializable
    @SerialName("unequal-work")
    data class UnequalWork(val ownBytes: Double, val typicalBytes: Double, val limit: Double) : LoadDoubt {
        override val id get() = DoubtId.UNEQUAL_WORK
    }

    /**
     * Deviation [off] of the throughput of this trial from that of the others, as a share; negative where it is lower.
     */
    @Serializable
    @SerialName("outlier")
    data class Outlier(val trial: Int, val off: Double, val severe: Boolean) : LoadDoubt {
        override val id get() = DoubtId.OUTLIER
    }

    /**
     * [missing] of [of] trials have no figures. [failure] is that of the first failed trial; null where the run ended
     * before.
     */
    @Serializable
    @SerialName("not-measured")
    data class NotMeasured(val missing: Int, val of: Int, val failure: Failure?) : LoadDoubt {
        override val id get() = DoubtId.NOT_MEASURED
    }
}

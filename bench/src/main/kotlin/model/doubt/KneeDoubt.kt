package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Doubts about a search for the knee as a whole. */
@Serializable
sealed interface KneeDoubt : DoubtFacts {
    /** The number of fresh processes is too small to show how they differ. */
    @Serializable
    @SerialName("knee-few-processes")
    data class FewProcesses(val processes: Int, val needed: Int) : KneeDoubt {
        override val id get() = DoubtId.FEW_PROCESSES
    }

    /** Width of the interval as a share of its lower end, and the requested width. */
    @Serializable
    @SerialName("knee-wide-interval")
    data class WideInterval(val width: Double, val tolerance: Double) : KneeDoubt {
        override val id get() = DoubtId.WIDE_INTERVAL
    }

    /** [without] of [of] processes found no knee. */
    @Serializable
    @SerialName("knee-processes-disagree")
    data class ProcessesDisagree(val without: Int, val of: Int) : KneeDoubt {
        override val id get() = DoubtId.PROCESSES_DISAGREE
    }

    /** [unsteady] of [of] processes were still getting faster when the search began. */
    @Serializable
    @SerialName("knee-not-steady")
    data class NotSteady(val unsteady: Int, val of: Int) : KneeDoubt {
        override val id get() = DoubtId.NOT_STEADY
    }

    /** [few] of [of] probes had few answers for their percentile. */
    @Serializable
    @SerialName("knee-few-samples")
    data class FewSamples(val few: Int, val of: Int) : KneeDoubt {
        override val id get() = DoubtId.FEW_SAMPLES
    }

    /** The hypervisor took more than [limit] of the machine in [stolen] of [of] probes. */
    @Serializable
    @SerialName("knee-stolen-time")
    data class StolenTime(val stolen: Int, val of: Int, val limit: Double) : KneeDoubt {
        override val id get() = DoubtId.STOLEN_TIME
    }

    /** The load agent was the limit in [limited] of [of] probes. */
    @Serializable
    @SerialName("knee-agent")
    data class Agent(val limited: Int, val of: Int) : KneeDoubt {
        override val id get() = DoubtId.AGENT
    }
}

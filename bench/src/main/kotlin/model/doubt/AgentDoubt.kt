package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Doubts about the load agent: whether it, rather than the target, limited the result. */
@Serializable
sealed interface AgentDoubt : DoubtFacts {
    /** The agent ran at this share of [ceilingPerSecond], its maximum with a server that does nothing. */
    @Serializable
    @SerialName("agent-near-its-ceiling")
    data class NearItsCeiling(val share: Double, val ceilingPerSecond: Double, val limit: Double) : AgentDoubt {
        override val id get() = DoubtId.AGENT_NEAR_ITS_CEILING
    }

    /** Delay between intended and actual sending, at the 99th percentile. */
    @Serializable
    @SerialName("sent-late")
    data class SentLate(val p99Micros: Double, val limitMicros: Double) : AgentDoubt {
        override val id get() = DoubtId.SENT_LATE
    }

    /** Share of the window in which the agent collected garbage. */
    @Serializable
    @SerialName("agent-collected-garbage")
    data class CollectedGarbage(val share: Double, val limit: Double) : AgentDoubt {
        override val id get() = DoubtId.AGENT_COLLECTED_GARBAGE
    }

    /** Agents of other machines were lost in a load, of which this share is missing. */
    @Serializable
    @SerialName("agents-lost")
    data class Lost(val share: Double) : AgentDoubt {
        override val id get() = DoubtId.AGENTS_LOST
    }

    /** The time that connections from the agents' machines to the server took to open: the median, and all of them. */
    @Serializable
    @SerialName("network-between")
    data class NetworkBetween(
        val medianMicros: Double,
        val shortestMicros: Double,
        val longestMicros: Double,
        /** They vary by so much that latencies do, too. */
        val varies: Boolean,
    ) : AgentDoubt {
        override val id get() = DoubtId.NETWORK_BETWEEN
    }

    /** It is not known more exactly than this whether agents of different machines send at the same time. */
    @Serializable
    @SerialName("clocks-apart")
    data class ClocksApart(val boundMicros: Double, val limitMicros: Double) : AgentDoubt {
        override val id get() = DoubtId.CLOCKS_APART
    }
}

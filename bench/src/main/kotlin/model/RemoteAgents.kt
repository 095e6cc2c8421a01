package threadgauge.model

import kotlinx.serialization.Serializable

/** Load agents on other machines, which send the loads of a run in place of agents of this machine. */
@Serializable
data class RemoteAgents(
    /** At least one, unless [kubernetes] is set; each sends an equal share of every load. */
    val hosts: List<AgentHost>,
    /** File with the token that they were started with; null where the environment has it. */
    val tokenFile: String? = null,
    /** Address of this machine by which they reach what the run starts here; null where it starts nothing. */
    val target: String? = null,
    val whenLost: WhenLost = WhenLost.STOP,
    /** Set where the run starts its agents itself, in a cluster; there are no [hosts] then, and no [tokenFile]. */
    val kubernetes: KubernetesAgents? = null,
)

/** Load agents that a run starts as the pods of a Kubernetes Job, and takes away at its end. */
@Serializable
data class KubernetesAgents(
    /** At least one; each sends an equal share of every load. */
    val pods: Int,
    /** Image with this version of Threadgauge. */
    val image: String,
    /** Null for that of the [context]. */
    val namespace: String? = null,
    /** Of kubectl's configuration; null for its current one. */
    val context: String? = null,
    /** Processor of a pod, requested and at most, as Kubernetes writes it (`2`, `500m`); null for no such limit. */
    val cpu: String? = null,
    /** The same of its memory (`1Gi`). */
    val memory: String? = null,
)

/** Where an agent listens: a name or address, and a port. */
@Serializable
data class AgentHost(val host: String, val port: Int = DEFAULT_PORT) {
    /** As it is written in experiment files, an IPv6 address in brackets. */
    override fun toString(): String = (if (':' in host) "[$host]" else host) + ":$port"

    companion object {
        const val DEFAULT_PORT = 7400
    }
}

/** What a run does when it loses one of several agents. */
@Serializable
enum class WhenLost {
    /** It ends; what was measured before is kept. */
    STOP,

    /** The load under way is marked, and the others share those after it. */
    GO_ON,
}

/** An agent on another machine, as it was when the run began. */
@Serializable
data class AgentSeen(
    val at: AgentHost,
    /** Version of Java. */
    val java: String,
    val operatingSystem: String,
    /** Processors of its machine, of which it leaves one alone. */
    val cores: Int,
    /** Its maximum with a server that does nothing, on its own machine. */
    val ceiling: AgentCeiling,
    val clock: ClockOffset,
)

/**
 * How another machine's clocks differ from those of this one, in nanoseconds, by messages that were answered at once.
 *
 * The answer's clock is read at some moment between sending and receiving. Taking the middle, the error is at most half
 * of the fastest round trip (F. Cristian, *Probabilistic clock synchronization*, Distributed Computing 3, 1989).
 */
@Serializable
data class ClockOffset(
    /** Its time of day minus ours; positive where its clock is ahead. */
    val aheadNanos: Long,
    /** [aheadNanos] may be wrong by this much, either way. */
    val boundNanos: Long,
    /** Its `System.nanoTime` minus ours; wrong by as much. */
    val monotonicNanos: Long,
    /** Round trips of the messages: the shortest, the median and the longest. */
    val shortestNanos: Long,
    val medianNanos: Long,
    val longestNanos: Long,
)

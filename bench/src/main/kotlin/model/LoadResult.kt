package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.request.TlsSession

/** The result of a load on a target, from the side of the load agent; the target was not observed. */
@Serializable
data class LoadResult(
    /** The load in words. */
    val load: String,
    /** Method and path of the request. */
    val request: String,
    /** Agents that shared the load, each a slice of it. */
    val slices: Int,
    val windowMillis: Double,
    val counts: Counts,
    /** Correct answers within the window. */
    val answeredInWindow: Long,
    /** Latency: from the intended time to the last byte. */
    val latency: Latency,
    /** From sending to the last byte. */
    val serviceTime: Latency,
    /** From the intended time to sending. */
    val sendDelay: Latency,
    val received: Received = Received(),
    /** How often the counted field of the answers had each value; empty where none is counted. */
    val counted: Map<String, Long> = emptyMap(),
    /** What agents and target agreed on for encryption, each agreement once; empty without encryption. */
    val tls: List<TlsSession> = emptyList(),
    val seconds: List<LoadSecond>,
    val agent: AgentHealth,
) {
    /** Correct answers per second of the window. */
    val perSecond: Double get() = throughput(answeredInWindow, windowMillis)
}

package threadgauge.load.agent

import java.net.InetAddress
import java.net.InetSocketAddress
import java.time.Instant
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.AgentHealth
import threadgauge.model.Connections
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Received
import threadgauge.model.Request
import threadgauge.model.TlsSession
import threadgauge.model.throughput

/**
 * All that an agent needs to know to do its share of a load: one line of JSON on its standard input.
 *
 * The share is slice [slice] of [slices], a pure function of these two numbers and the load; the results of all slices
 * add up to the whole.
 */
@Serializable
data class WorkOrder(
    val id: Int,
    val load: Load,
    val request: Request,
    /** Where to send: connections are spread over these in turn. */
    val targets: List<Address>,
    val connections: Connections = Connections(),
    val slice: Int = 0,
    val slices: Int = 1,
    /** Chooses what stands in the placeholders of the request. */
    val seed: Long = 1,
    /** How long to wait for answers after the window, in nanoseconds. */
    val drainNanos: Long = 10_000_000_000,
    val responseTimeoutNanos: Long = 60_000_000_000,
    /** For TCP, and once more for TLS. */
    val connectTimeoutNanos: Long = 10_000_000_000,
    /**
     * Between "the connections are open" and the first request, in nanoseconds: time for the coordinator to start its
     * probes.
     */
    val leadNanos: Long = 100_000_000,
    /**
     * The beginning of the load that does not count, in nanoseconds: requests intended in it appear in no count and no
     * time, and the window begins at its end. Its length is part of that of [load], which must have one. By then a
     * closed load has filled, and connections are in use.
     */
    val leadInNanos: Long = 0,
    /**
     * The load begins then, in nanoseconds since 1970, so that several agents begin together; null: when connections
     * are open.
     */
    val startAtEpochNanos: Long? = null,
)

/** Nanoseconds since 1970, as [WorkOrder.startAtEpochNanos] counts. */
val Instant.epochNanos: Long get() = epochSecond * 1_000_000_000 + nano

/** A host's name or address, and a port. */
@Serializable
data class Address(val host: String, val port: Int, val ip: String? = null) {
    /** As a place to connect to; [host] is what requests and TLS name. Looks [host] up where no [ip] is given. */
    fun socketAddress(): InetSocketAddress =
        if (ip == null) InetSocketAddress(host, port)
        else InetSocketAddress(InetAddress.getByAddress(host, InetAddress.getByName(ip).address), port)
}

/** What an agent says: one line of JSON each on its standard output, in the order [Started], [Second]…, [Done]. */
@Serializable
sealed interface AgentMessage {
    /** [WorkOrder.id] of the order that it is about; null where it is about none. */
    val order: Int?

    /** The agent listens for orders. */
    @Serializable
    @SerialName("ready")
    data class Ready(val pid: Long) : AgentMessage {
        override val order: Int? get() = null
    }

    /**
     * Connections are open. The window begins at [startNanos] of CLOCK_MONOTONIC and lasts [windowNanos], 0 if unknown
     * before.
     */
    @Serializable
    @SerialName("started")
    data class Started(override val order: Int, val startNanos: Long, val windowNanos: Long) : AgentMessage

    /** One closed second of one event loop: nothing can change it any more. */
    @Serializable
    @SerialName("second")
    data class Second(
        override val order: Int,
        val second: Int,
        val sent: Long,
        val answered: Long,
        val failed: Long,
        /** HdrHistogram, compressed, Base64: nanoseconds from the intended time. */
        val latency: String,
    ) : AgentMessage

    /** Progress, for people: requests under way and answers so far, of all event loops. */
    @Serializable
    @SerialName("pulse")
    data class Pulse(
        override val order: Int,
        val second: Int,
        val active: Int,
        val answered: Long,
        val failed: Long,
    ) : AgentMessage

    @Serializable
    @SerialName("done")
    data class Done(
        override val order: Int,
        val windowNanos: Long,
        val scheduled: Long,
        val sent: Long,
        val answered: Long,
        val answeredInWindow: Long,
        val unsent: Long,
        val unfinished: Long,
        val failures: Map<Outcome, Long>,
        val connectionsOpened: Long,
        /** How often a request was sent once more. */
        val repeated: Long = 0,
        /** What was agreed on for encryption; several where connections came to different agreements. */
        val tls: List<TlsSession> = emptyList(),
        val received: Received = Received(),
        /** How often the counted field had each value. */
        val counted: Map<String, Long> = emptyMap(),
        /** How many correct answers had each status. */
        val statuses: Map<Int, Long> = emptyMap(),
        val serviceTime: String,
        val sendDelay: String,
        val health: AgentHealth,
    ) : AgentMessage {
        /** Correct answers per second of the window. */
        val perSecond: Double get() = throughput(answeredInWindow, windowNanos / 1e6)
    }

    /** The order could not be carried out; nothing was sent. */
    @Serializable
    @SerialName("refused")
    data class Refused(override val order: Int, val why: String) : AgentMessage
}

internal val agentJson = Json { encodeDefaults = true }

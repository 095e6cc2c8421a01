package threadgauge.load.agent

import java.net.InetAddress
import java.net.InetSocketAddress
import java.time.Instant
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import threadgauge.model.AgentHealth
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Received
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.TlsSession
import threadgauge.model.throughput

/**
 * All that an agent needs to know to carry out its share of a load: one line of JSON.
 *
 * The share is slice [slice] of [slices]. It depends only on these two numbers and the load; the results of all slices
 * add up to the whole.
 */
@Serializable
data class WorkOrder(
    val id: Int,
    val load: Load,
    val request: Request,
    /** Addresses of the target: connections are spread over these in turn. */
    val targets: List<Address>,
    val connections: Connections = Connections(),
    val slice: Int = 0,
    val slices: Int = 1,
    /** Determines the values of placeholders in the request, and think times. */
    val seed: Long = 1,
    /** How long to wait for answers after the window, in nanoseconds. */
    val drainNanos: Long = 10_000_000_000,
    /** From sending a request to the last byte of its answer, in nanoseconds; a longer answer is a timeout. */
    val responseTimeoutNanos: Long = 60_000_000_000,
    /** For the TCP handshake, and again for that of TLS. */
    val connectTimeoutNanos: Long = 10_000_000_000,
    /**
     * Between "the connections are open" and the first request, in nanoseconds: gives the coordinator time to start
     * its probes.
     */
    val leadNanos: Long = 100_000_000,
    /**
     * The beginning of the load, which does not count, in nanoseconds: requests intended in it appear in no count and
     * no latency, and the window begins at its end. It is part of the length of [load], which must have one. By its
     * end all users of a closed load are active, and connections are in use.
     */
    val leadInNanos: Long = 0,
    /**
     * Start of the load, in nanoseconds since 1970, so that several agents start together. If null, it starts when
     * the connections are open.
     */
    val startAtEpochNanos: Long? = null,
    /** What users do instead of repeating [request], each in a pass of its own; empty: they repeat it. */
    val scenarios: List<Scenario> = emptyList(),
) {
    /** Answers may have no end; those of steps have. */
    val isEndless: Boolean get() = request.isEndless && scenarios.isEmpty()

    /** [drainNanos]; none for streams that may have no end. */
    val lastWaitNanos: Long get() = if (isEndless) 0 else drainNanos
}

/** Nanoseconds since 1970, as [WorkOrder.startAtEpochNanos] counts. */
val Instant.epochNanos: Long get() = epochSecond * 1_000_000_000 + nano

/** A host's name or address, and a port. [ip] is the IP address to connect to, if [host] is a name. */
@Serializable
data class Address(val host: String, val port: Int, val ip: String? = null) {
    /**
     * The socket address to connect to; [host] is what requests and TLS name. Looks up [host] if [ip] is null. Throws
     * `UnknownHostException` if [ip] is no address.
     */
    fun socketAddress(): InetSocketAddress =
        if (ip == null) InetSocketAddress(host, port)
        else InetSocketAddress(InetAddress.getByAddress(host, InetAddress.getByName(ip).address), port)
}

/**
 * A message of an agent: one line of JSON on its standard output. Their order is [Started], [Second] and [Pulse]
 * repeatedly, [Done].
 */
@Serializable
sealed interface AgentMessage {
    /** [WorkOrder.id] of the order that it belongs to; null if it belongs to none. */
    val order: Int?

    /** The agent accepts orders. */
    @Serializable
    @SerialName("ready")
    data class Ready(val pid: Long) : AgentMessage {
        override val order: Int? get() = null
    }

    /**
     * The connections are open. The window begins at [startNanos] of CLOCK_MONOTONIC and lasts [windowNanos]; 0 if that
     * is not known in advance.
     */
    @Serializable
    @SerialName("started")
    data class Started(override val order: Int, val startNanos: Long, val windowNanos: Long) : AgentMessage

    /** A closed second of one event loop: it does not change any more. */
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

    /** Progress for the terminal: requests under way, and answers and failures so far, of all event loops. */
    @Serializable
    @SerialName("pulse")
    data class Pulse(
        override val order: Int,
        val second: Int,
        val active: Int,
        val answered: Long,
        val failed: Long,
    ) : AgentMessage

    /** The load is over: the result of this agent's slice. */
    @Serializable
    @SerialName("done")
    data class Done(
        override val order: Int,
        /** Length of the window; of a load without one, until its last request ended. */
        val windowNanos: Long,
        /** Requests that were due: sent or unsent. */
        val scheduled: Long,
        val sent: Long,
        /** Correct answers to requests intended in the window, whenever they arrived. */
        val answered: Long,
        /** Correct answers that arrived in the window, whenever their requests were sent. */
        val answeredInWindow: Long,
        /** Due and never sent. */
        val unsent: Long,
        /** Sent, and without an answer when the load ended. */
        val unfinished: Long,
        /** Failed requests by outcome; outcomes that did not occur are absent. */
        val failures: Map<Outcome, Long>,
        val connectionsOpened: Long,
        /** How often a request was sent again. */
        val repeated: Long = 0,
        /** TLS parameters that connections agreed on; several if they differ. */
        val tls: List<TlsSession> = emptyList(),
        val received: Received = Received(),
        /** How often the counted field of the body had each value. */
        val counted: Map<String, Long> = emptyMap(),
        /** How many correct answers had each status. */
        val statuses: Map<Int, Long> = emptyMap(),
        /** Histogram of correct answers as in [Second.latency], from sending to the last byte. */
        val serviceTime: String,
        /** Histogram of sent requests as in [Second.latency], from the intended time to sending. */
        val sendDelay: String,
        val health: AgentHealth,
        /** Of each scenario, in the order of [WorkOrder.scenarios]. */
        val scenarios: List<ScenarioDone> = emptyList(),
        /** Messages of all streams; null where answers are none. */
        val stream: StreamDone? = null,
        /** The part of the load that was not sent or not reported because agents were lost, 0 to 1. */
        val missingShare: Double = 0.0,
    ) : AgentMessage {
        /** Correct answers per second of the window. */
        val perSecond: Double get() = throughput(answeredInWindow, windowNanos / 1e6)
    }

    /** The order could not be carried out; nothing was measured. */
    @Serializable
    @SerialName("refused")
    data class Refused(override val order: Int, val why: String) : AgentMessage
}

/** Writes defaults too, so that each line is complete. */
internal val agentJson = Json { encodeDefaults = true }

package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.request.TlsSession

/** One measurement: a cell in one trial. */
@Serializable
data class Sample(
    val situation: String,
    /** Milliseconds from the start of the run. */
    val atMillis: Double,
    /** Length of the window of load: from the first intended time to its end. */
    val windowMillis: Double,
    val counts: Counts,
    /** Correct answers within the window, of every status. */
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
    /** How many correct answers had each status; empty in older records. */
    val statuses: Map<Int, Long> = emptyMap(),
    /**
     * What the agent and the target agreed on for encryption, each agreement once; empty without encryption, and in
     * older records.
     */
    val tls: List<TlsSession> = emptyList(),
    /** Interval histograms of [latency], one per second, in HdrHistogram's log format. */
    val hlog: String,
    /** All values of [latency] as one HdrHistogram in its compressed form, Base64; null in older records. */
    val distribution: String? = null,
    /** One entry per second of load, by the second in which a request was intended or sent. */
    val seconds: List<LoadSecond>,
    /** One entry per second: the target's process, observed by the operating system. */
    val process: List<ProcessSecond>,
    val cost: Cost,
    val agent: AgentHealth,
    /** Null in records of older versions. */
    val surroundings: Surroundings? = null,
    /** Null without a sale. */
    val audit: SaleAudit? = null,
    /**
     * How long this load was delayed because the target was busy with abandoned requests of the previous load. Zero
     * without them; null where the target was still busy at the time limit.
     */
    val putOffMillis: Double? = 0.0,
    /** Of each scenario, in their order; empty without scenarios. */
    val scenarios: List<ScenarioSample> = emptyList(),
    /** The largest part of a load that is missing because load agents were lost, 0 to 1. */
    val missingShare: Double = 0.0,
    /** Of all streams together; null where answers are none. */
    val stream: StreamSample? = null,
) {
    /** Correct answers per second of the window. */
    val perSecond: Double get() = throughput(answeredInWindow, windowMillis)
}

/** The messages of streams. */
@Serializable
data class StreamSample(
    /** Messages that arrived within the window. */
    val messages: Long,
    /** From sending a request to its first message. */
    val first: Latency,
    /** From one message of a stream to its next. */
    val gap: Latency,
)

/** What came of one scenario. `begun = completed + failed + cut`. */
@Serializable
data class ScenarioSample(
    val name: String,
    val begun: Long,
    val completed: Long,
    /** Ended by a step that failed. */
    val failed: Long,
    /** Under way when the load ended. */
    val cut: Long,
    /** Of completed passes, pauses included: from the intended time of the first request to the last answer. */
    val duration: Latency,
    /** All values of [duration] as one HdrHistogram in its compressed form, Base64. */
    val durations: String,
    /** In the order of the scenario. */
    val steps: List<StepSample>,
)

/** What came of the requests of one step. */
@Serializable
data class StepSample(
    val name: String,
    /** Correct answers. */
    val answered: Long,
    val unfinished: Long,
    val unsent: Long,
    val failures: Map<Outcome, Long> = emptyMap(),
    /** From the intended time to the last byte. */
    val latency: Latency,
    /** All values of [latency] as one HdrHistogram in its compressed form, Base64. */
    val distribution: String,
    /** From sending to the last byte. */
    val serviceTime: Latency,
) {
    /** Requests without a correct answer, for any reason. */
    val failed: Long get() = failures.values.sum() + unfinished + unsent
}

/** Counts of requests. `scheduled = sent + unsent` and `sent = answered + failures + unfinished`. */
@Serializable
data class Counts(
    val scheduled: Long,
    val sent: Long,
    /** Correct answers. */
    val answered: Long,
    /** Due, but not sent before the time limit. */
    val unsent: Long,
    /** Sent, but not answered before the time limit. */
    val unfinished: Long,
    val failures: Map<Outcome, Long> = emptyMap(),
    val connectionsOpened: Long = 0,
    /** How often a request was sent once more because the server had not processed it; it counts as sent once. */
    val repeated: Long = 0,
) {
    /** Requests without a correct answer, for any reason. */
    val failed: Long get() = failures.values.sum() + unfinished + unsent
}

/** Sizes of all correct answers together, in bytes. */
@Serializable
data class Received(
    /** Bodies as sent, compressed where the server did so, without chunk headers. */
    val bodyBytes: Long = 0,
    /** Bodies after unpacking; the same where nothing was compressed. */
    val unpackedBytes: Long = 0,
)

/** Ways in which a request can fail. The words of one stand behind "3 ×". */
@Serializable
enum class Outcome(val words: String) {
    REFUSED("connection refused"),
    RESET("connection reset or closed early"),

    /**
     * A connection of HTTP/1.1 that had carried an answer before was closed before any byte of the next. Most often the
     * server closed it as idle just when the request was sent, and never saw it; it may as well have died.
     */
    KEPT_CONNECTION_CLOSED("kept connection closed before any of the answer"),

    /**
     * The server said that it did not process the request, and never will (RFC 9113, section 8.7: REFUSED_STREAM, or a
     * GOAWAY that leaves the stream out), or the request never left.
     */
    UNPROCESSED("not processed by the server"),

    /** The server ended one stream of HTTP/2 by RST_STREAM. */
    STREAM_RESET("HTTP/2 stream reset by the server"),

    /** The answer on one stream of HTTP/2 broke its rules (RFC 9113, section 8.1.1), such as a wrong content-length. */
    STREAM_MALFORMED("malformed answer on an HTTP/2 stream"),
    CONNECT_TIMEOUT("connecting took too long"),
    LOCAL_LIMIT("no local port or file left to connect with"),
    TLS_FAILED("no agreement on encryption"),
    RESPONSE_TIMEOUT("the answer took too long"),
    CLIENT_ERROR("status 4xx"),
    SERVER_ERROR("status 5xx"),
    UNEXPECTED_STATUS("another status than 2xx"),
    WRONG_BODY("wrong body"),
    WRONG_MESSAGES("stream with another number of messages than expected"),

    /** The answer has no value that the step keeps. */
    NOTHING_TO_KEEP("answer without a value that its step keeps"),

    /**
     * The body is in a content coding (RFC 9110, section 8.4) that its check does not read: gzip without `gzip: yes`,
     * or another one. A request without `Accept-Encoding` allows the server any coding.
     */
    CODED_BODY("compressed body that cannot be checked (gzip: yes asks for gzip and unpacks it)"),
    MALFORMED("not HTTP"),

    /** A limit of ours, `max-header-bytes`, and no fault of the server. */
    HEADERS_TOO_LONG("headers longer than max-header-bytes"),
}

/** A distribution of times, in microseconds. p99.9 is null below 10,000 values. All zero when [count] is zero. */
@Serializable
data class Latency(
    val count: Long,
    val meanMicros: Double,
    val minMicros: Double,
    val p50Micros: Double,
    val p90Micros: Double,
    val p99Micros: Double,
    val p999Micros: Double? = null,
    val maxMicros: Double,
    /** Null in older records. */
    val p95Micros: Double? = null,
)

/** A second of load. [second] counts from 0 at the start of the window. */
@Serializable
data class LoadSecond(
    val second: Int,
    /** Sent in this second. */
    val sent: Long,
    /** Correctly answered in this second. */
    val answered: Long,
    /** Failed in this second. */
    val failed: Long,
    /** Requests in flight at the end of this second. */
    val active: Int,
    /** Latency of requests intended in this second, in microseconds; null where there are none. */
    val p50Micros: Double? = null,
    val p90Micros: Double? = null,
    val p99Micros: Double? = null,
    val maxMicros: Double? = null,
)

/** The target's process in one second of load; CPU is a share of one core (1.0 = one core busy). */
@Serializable
data class ProcessSecond(
    val second: Double,
    val cpuUser: Double,
    val cpuSystem: Double,
    val rssBytes: Long,
    val threads: Int,
)

/**
 * Costs of the target in the window: differences of counters over [windowMillis], the actual length. Values of the
 * process are null where it cannot be observed, for example a target known only by its URL; then [windowMillis] is 0.
 */
@Serializable
data class Cost(
    val windowMillis: Double,
    val cpuUserMillis: Double? = null,
    val cpuSystemMillis: Double? = null,
    val rssBytesMax: Long? = null,
    val threadsMax: Int? = null,
    /** Of all its threads; null where the system does not report it. */
    val voluntarySwitches: Long? = null,
    val involuntarySwitches: Long? = null,
    /** Null where the JVM could not be attached to. */
    val jvm: JvmCost? = null,
    /** State of the JVM after the window. */
    val jvmState: JvmState? = null,
    /** Share of the CPU time that the hypervisor took in the window, 0 to 1; null where unknown. */
    val steal: Double? = null,
) {
    /** User and system together; null where the process cannot be observed. */
    val cpuMillis: Double? get() = cpuUserMillis?.let { user -> cpuSystemMillis?.let { user + it } }
}

/** Differences over a window, from the JVM's own counters. */
@Serializable
data class JvmCost(
    val collections: Long,
    val collectionMillis: Double,
    val compileMillis: Double,
    val allocatedBytes: Long? = null,
)

/** The JVM at one moment. */
@Serializable
data class JvmState(
    val rssBytes: Long,
    val heapUsedBytes: Long,
    val codeCacheBytes: Long,
    val loadedClasses: Int,
    /** Platform threads that the JVM counts. */
    val platformThreads: Int,
)

/** The load agent during the measurement: whether it distorted the figures. */
@Serializable
data class AgentHealth(
    val cpuMillis: Double,
    val collections: Long,
    val collectionMillis: Double,
    /** Maximum delay of the task that each event loop runs every ten milliseconds, in microseconds. */
    val loopLagMicrosMax: Double,
    /** Shortest time between two wake-ups of the schedule, in microseconds; 0 in closed load, which has no timer. */
    val quantumMicros: Double,
    val eventLoops: Int,
    /** Bytes that the event loops allocated. Without allocation, no collection interrupts them. */
    val allocatedBytes: Long = 0,
)

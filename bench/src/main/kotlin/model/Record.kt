package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.Failure

/**
 * All that a run saw, as it lies on disk in `record.json`. It holds what was measured, never what was concluded:
 * statistics, verdicts and reports are rebuilt from it at any time. Files are named relative to the record's folder.
 */
@Serializable
data class Record(
    /** Raised when a reader of an older record would misread a newer one. */
    val schema: Int = SCHEMA,
    /** Name of the record's folder. */
    val id: String,
    /** ISO 8601 instants, UTC. [endedAt] is null while the run goes on. */
    val startedAt: String,
    val endedAt: String? = null,
    val state: RunState,
    /** What ended a run before its time; null where it came to its end or the user interrupted it. */
    val failure: Failure? = null,
    /** The same in an older record, which has a sentence. Never written. */
    val stateReason: String? = null,
    val plan: Plan,
    val environment: Environment,
    @JsonNames("repeats") val trials: List<Trial> = emptyList(),
    /**
     * What each stack was built from, by its name: a fingerprint of the files that its command names. A stack that
     * names none has no entry. Two records with the same fingerprint measured the same build.
     */
    val builds: Map<String, String> = emptyMap(),
    /** How often, and after what, the run was carried on; empty where it went from start to end. */
    val resumed: List<Resumption> = emptyList(),
) {
    companion object {
        /**
         * 2: a sale may be over several events, of which a reader of 1 would see the first alone. 3: trials and their
         * like got other names, and why something failed is data.
         */
        const val SCHEMA = 3
    }
}

/** Why a run ended before its time, also in an older record; null where it did not or the user interrupted it. */
val Record.whyEnded: Failure? get() = failure ?: stateReason?.let(Failure::Told)

/** Why a trial has no figures, also in an older record; null where it has them or the user interrupted it. */
val Trial.whyFailed: Failure? get() = failure ?: stateReason?.let(Failure::Told)

/** How far a run came. Every state but RUNNING is the last, unless the run is carried on. */
@Serializable
enum class RunState { RUNNING, COMPLETE, INTERRUPTED, FAILED }

/** The machine and the software that measured. */
@Serializable
data class Environment(
    val threadgauge: String,
    val cpu: String,
    val cores: Int,
    val memoryBytes: Long,
    val operatingSystem: String,
    val kernel: String,
    val java: String,
    val fileLimit: Long? = null,
    /**
     * Share of the machine that was at work just before the run, 0 to 1; the most where it was carried on, null where
     * unknown.
     */
    val busyBefore: Double? = null,
    /** Core numbers each side is pinned to; empty where nothing was pinned. */
    val targetCores: List<Int> = emptyList(),
    val agentCores: List<Int> = emptyList(),
    /** Kernel settings and other facts that may decide a result, as text. */
    val settings: Map<String, String> = emptyMap(),
    val agentCommand: List<String> = emptyList(),
    /** Load agents that shared each load. */
    val agents: Int = 1,
    /**
     * The agent against its internal server, measured just before the run: the least where it was carried on. Null
     * where skipped.
     */
    val agentCeiling: AgentCeiling? = null,
)

/** The most the agent can do on this machine, against a server that does nothing. */
@Serializable
data class AgentCeiling(val requestsPerSecond: Double, val agentCpuMicrosPerRequest: Double)

/** One fresh process of a stack and what was measured in it. */
@Serializable
data class Trial(
    val stack: String,
    /** Counted from 1 for each stack. */
    val number: Int,
    val state: TrialState,
    /** Why it failed; null where it did not, or where the user interrupted it. */
    val failure: Failure? = null,
    /** The same in an older record, which has a sentence. Never written. */
    val stateReason: String? = null,
    val command: List<String>,
    val log: String,
    val boot: Boot? = null,
    /** Null where the experiment lets none rest. */
    val rest: Rest? = null,
    /** What was in the heap when the first collection began; null where none was looked for, or there was none. */
    val firstCollectionBytes: Long? = null,
    val runtime: RuntimeReport? = null,
    /** Rules of the HTTP contract that this process broke. Not empty means that it was not measured. */
    val contractViolations: List<String> = emptyList(),
    val warmUp: WarmUp? = null,
    /** After boot and the first answers, before warm-up. */
    val idle: JvmState? = null,
    val samples: List<Sample> = emptyList(),
    /** In the order in which they were made, where the plan looks for the knee. */
    val probes: List<Probe> = emptyList(),
    /**
     * What came to the first request, for comparing the work of stacks that keep no contract; null for those that keep
     * it.
     */
    val firstAnswer: FirstAnswer? = null,
    /**
     * What the ports of a service of the user's own answered before it was ready; those that were not asked are left
     * out.
     */
    val ports: List<SeenPort> = emptyList(),
    /** What could be seen of a process that does not describe itself, as text by name, such as its collector. */
    val facts: Map<String, String> = emptyMap(),
)

/** What [port] answered to the request of the situation: [fault] is null for a correct answer. */
@Serializable
data class SeenPort(
    val port: Int,
    /** The service was told to serve this port. */
    val isTold: Boolean,
    val fault: AnswerFault? = null,
)

/** A correct answer, as it came before any load. */
@Serializable
data class FirstAnswer(
    val status: Int,
    /** Length of the body as it was sent. */
    val bytes: Long,
    /** SHA-256 of the body, in hexadecimal digits. */
    val sha256: String,
    val contentType: String? = null,
    /** The next answer had the same body. */
    val stable: Boolean,
    /** What the client that asked and the service agreed on for encryption; null in the clear, and in older records. */
    val tls: TlsSession? = null,
)

/** How far one trial came. MEASURED means that it has a sample of every situation. */
@Serializable
enum class TrialState { RUNNING, MEASURED, FAILED, INTERRUPTED }

/** Milliseconds from the start of the process. */
@Serializable
data class Boot(
    val portOpenMillis: Double,
    val firstAnswerMillis: Double,
    /** What the framework itself says, where it says it. */
    val frameworkMillis: Double? = null,
    /** Processor time until the first correct answer. */
    val cpuMillis: Double? = null,
    /**
     * The most processor time in any half second, as a share of the target's cores: 1 is all of them. Null for a
     * shorter start.
     */
    val cpuPeakShare: Double? = null,
)

/** A process that was left alone after its first correct answer. */
@Serializable
data class Rest(
    /** How long it was watched. */
    val millis: Double,
    /** Processor time meanwhile, as a share of the target's cores. */
    val cpuShare: Double,
)

/** What a server says of itself at `GET /runtime`. */
@Serializable
data class RuntimeReport(
    val stack: String,
    val framework: String,
    val engine: String,
    val model: ConcurrencyModel,
    val handlerThread: HandlerThread,
    val java: String,
    val processors: Int,
    val pid: Long,
    val collectors: List<String>,
    val heapMaxBytes: Long,
    /**
     * Most requests that can be inside the handler of an endpoint at one time, by the first part of the path
     * (`/block` → 200). An endpoint that is not named has no such limit.
     */
    val concurrencyLimits: Map<String, Int> = emptyMap(),
    /**
     * Connections served at one time; others wait or are rejected. Null without such a limit, or where it is unknown.
     */
    @JsonNames("connectionsMost") val maxConnections: Int? = null,
    /**
     * Calls that its own client makes of a backend at a time; others wait. Null without a limit, or where it is
     * unknown.
     */
    @JsonNames("callsMost") val maxCalls: Int? = null,
    /** Time to start as the framework counts it, in milliseconds. */
    val startupMillis: Double? = null,
    /** Effective settings that may decide a result, such as pool sizes, as text. */
    val settings: Map<String, String> = emptyMap(),
)

/** The thread that ran the handler of `GET /runtime`. */
@Serializable
data class HandlerThread(val name: String, val virtual: Boolean)

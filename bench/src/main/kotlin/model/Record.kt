package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.Failure
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.Plan
import threadgauge.model.plan.Probe
import threadgauge.model.plan.Resumption
import threadgauge.model.plan.Slice
import threadgauge.model.plan.TurnsReason
import threadgauge.model.plan.WarmUp
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.Profile
import threadgauge.model.request.TlsSession

/**
 * All measurements of a run, stored as `record.json`. It contains no conclusions: statistics, verdicts and reports are
 * rebuilt from it. File names are relative to the folder of the record.
 */
@Serializable
data class Record(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = SCHEMA,
    /** Name of the record's folder. */
    val id: String,
    /** ISO 8601 instants, UTC. [endedAt] is null while the run is in progress. */
    val startedAt: String,
    val endedAt: String? = null,
    val state: RunState,
    /** The reason for an early end; null for a complete run, and where the user interrupted it. */
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
    /** Why trials were measured in turns although the plan has rounds; null where they were not. */
    val inTurns: TurnsReason? = null,
    /** When it stood still in the middle of a measurement; empty where it never did, and in older records. */
    val pauses: List<Pause> = emptyList(),
    /** Why it ended, where it planned itself and came to its end. */
    val goalEnd: GoalEnd? = null,
    /** The resumptions of the run; empty without one. */
    val resumed: List<Resumption> = emptyList(),
) {
    companion object {
        /**
         * 2: a sale may be over several events, of which a reader of version 1 would see only the first. 3: trials and
         * other parts are renamed, and reasons of failures are data. 4: trials of a block may be measured in rounds.
         */
        const val SCHEMA = 4
    }
}

/** The reason for an early end, also in older records; null for a complete run, and where the user interrupted it. */
val Record.whyEnded: Failure? get() = failure ?: stateReason?.let(Failure::Told)

/**
 * The reason why a trial has no figures, also in older records; null where it has them, and where the user interrupted
 * it.
 */
val Trial.whyFailed: Failure? get() = failure ?: stateReason?.let(Failure::Told)

/** State of a run. Every state but RUNNING is final, unless the run is resumed. */
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
     * Share of the CPU time that was in use just before the run, 0 to 1; the maximum if the run was resumed, null where
     * unknown.
     */
    val busyBefore: Double? = null,
    /** Core numbers each side is pinned to; empty where nothing was pinned. */
    val targetCores: List<Int> = emptyList(),
    val agentCores: List<Int> = emptyList(),
    /**
     * Idle cores were kept from sleeping, so that nobody waits for one to wake up; null in older records, which never
     * did.
     */
    val awakeCores: Boolean? = null,
    /** Kernel settings and other facts that may affect a result, as text. */
    val settings: Map<String, String> = emptyMap(),
    val agentCommand: List<String> = emptyList(),
    /** Load agents that shared each load. */
    val agents: Int = 1,
    /**
     * The maximum of the agent with its internal server, measured just before the run; the lowest if the run was
     * resumed. Null where skipped.
     */
    val agentCeiling: AgentCeiling? = null,
    /** Those agents, where they are of other machines. */
    val remoteAgents: List<AgentSeen> = emptyList(),
)

/** The maximum throughput of the agent on this machine, with a server that does nothing. */
@Serializable
data class AgentCeiling(val requestsPerSecond: Double, val agentCpuMicrosPerRequest: Double)

/** One fresh process of a stack and its measurements. */
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
    /** Null where the experiment has no `rest`. */
    val rest: Rest? = null,
    /** Heap in use at the first garbage collection; null where it was not observed, or there was none. */
    val firstCollectionBytes: Long? = null,
    val runtime: RuntimeReport? = null,
    /** Rules of the HTTP contract that this process breaks. If there are any, it was not measured. */
    val contractViolations: List<String> = emptyList(),
    val warmUp: WarmUp? = null,
    /** After boot and the first answers, before warm-up. */
    val idle: JvmState? = null,
    val samples: List<Sample> = emptyList(),
    /** The slices that [samples] are the sums of, in the order of measurement; empty where there are none. */
    val slices: List<Slice> = emptyList(),
    /** In the order of the search, where the plan is one for the knee. */
    val probes: List<Probe> = emptyList(),
    /**
     * The answer to the first request, for comparing the work of stacks without a contract; null for those that keep
     * it.
     */
    val firstAnswer: FirstAnswer? = null,
    /** Answers of the ports of a service of the user's own before it was ready, as far as they were tried. */
    val ports: List<SeenPort> = emptyList(),
    /** Facts about a process that does not describe itself, as text by name, such as its garbage collector. */
    val facts: Map<String, String> = emptyMap(),
    /** What the process did in loads of their own, one per situation; empty where nobody looked. */
    val profiles: List<Profile> = emptyList(),
    /** What the rehearsal of profiles, before the warm-up, left in the process; null where there was none. */
    val rehearsal: Rehearsal? = null,
    /** Why there are no [profiles] of it; null where there are, and where none were wanted. */
    val noProfile: NoProfile? = null,
    /**
     * Nanoseconds that connections to it took to open, each list from another of [Environment.remoteAgents] in their
     * order; empty where the load came from this machine.
     */
    val reachNanos: List<List<Long>> = emptyList(),
)

/** What a process has of memory and threads after a rehearsal, and had not before: what was loaded to observe it. */
@Serializable
data class Rehearsal(
    val rssBytes: Long,
    val threads: Int,
    /** All that the rehearsal took, in milliseconds; 0 where an older version did not write it. */
    val tookMillis: Double = 0.0,
)

/** Resident memory of the process in [sample], at most, without what the [Trial.rehearsal] left; null if unknown. */
fun Trial.memoryBytes(sample: Sample): Long? = sample.cost.rssBytesMax?.minus(rehearsal?.rssBytes ?: 0)

/** The same of its threads. */
fun Trial.threads(sample: Sample): Int? = sample.cost.threadsMax?.minus(rehearsal?.threads ?: 0)

/** Name of the largest size of the heap among [Trial.facts], such as "1,024 MB". */
const val HEAP_FACT = "heap at most"

/** The answer of [port] to the request of the situation: [fault] is null for a correct one. */
@Serializable
data class SeenPort(
    val port: Int,
    /** The port was assigned to the service. */
    val isAssigned: Boolean,
    val fault: AnswerFault? = null,
)

/** A correct answer from before any load. */
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

/** State of a trial. MEASURED: it has a sample of every situation. */
@Serializable
enum class TrialState { RUNNING, MEASURED, FAILED, INTERRUPTED }

/** Milliseconds from the start of the process. */
@Serializable
data class Boot(
    val portOpenMillis: Double,
    val firstAnswerMillis: Double,
    /** Boot time as the framework logs it, where it does. */
    val frameworkMillis: Double? = null,
    /** CPU time until the first correct answer. */
    val cpuMillis: Double? = null,
    /** Peak CPU over half a second, as a share of the target's cores: 1 is all of them. Null for a shorter start. */
    val cpuPeakShare: Double? = null,
)

/** A process that stayed idle after its first correct answer. */
@Serializable
data class Rest(
    /** Length of the observation. */
    val millis: Double,
    /** CPU time during it, as a share of the target's cores. */
    val cpuShare: Double,
)

/** The self-description of a server at `GET /runtime`. */
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
     * Maximum number of requests in the handler of an endpoint at a time, by the first part of the path (`/block` →
     * 200). Endpoints without an entry have no such limit.
     */
    val concurrencyLimits: Map<String, Int> = emptyMap(),
    /**
     * Maximum number of connections; others wait or are rejected. Null without such a limit, or where it is unknown.
     */
    @JsonNames("connectionsMost") val maxConnections: Int? = null,
    /**
     * Maximum number of concurrent calls of its HTTP client to a backend; others wait. Null without a limit, or where
     * it is unknown.
     */
    @JsonNames("callsMost") val maxCalls: Int? = null,
    /** Boot time as the framework reports it, in milliseconds. */
    val startupMillis: Double? = null,
    /** Effective settings that may affect a result, such as pool sizes, as text. */
    val settings: Map<String, String> = emptyMap(),
)

/** The thread that ran the handler of `GET /runtime`. */
@Serializable
data class HandlerThread(val name: String, val virtual: Boolean)

package threadgauge.telemetry

import threadgauge.model.VERSION
import threadgauge.telemetry.MetricKind.COUNTER
import threadgauge.telemetry.MetricKind.GAUGE
import threadgauge.telemetry.MetricKind.HISTOGRAM
import threadgauge.telemetry.MetricKind.UP_DOWN_COUNTER

/** The kinds of metrics in OpenTelemetry's data model that are exported. Sums and histograms are cumulative. */
internal enum class MetricKind { COUNTER, UP_DOWN_COUNTER, GAUGE, HISTOGRAM }

/**
 * Every metric that is exported: [id] and [unit] (UCUM) as OpenTelemetry writes them, and a [description] for people.
 * Names that begin with `http.client` are those of OpenTelemetry's semantic conventions; what has no convention begins
 * with `threadgauge`. The conventions for processes are not used for the target, because they describe the process that
 * exports, which is Threadgauge.
 */
internal enum class Metric(val id: String, val unit: String, val kind: MetricKind, val description: String) {
    REQUEST_DURATION(
        "http.client.request.duration", "s", HISTOGRAM, "Correct answers: from sending a request to the last byte",
    ),
    ACTIVE_REQUESTS("http.client.active_requests", "{request}", UP_DOWN_COUNTER, "Requests in flight"),
    LATENCY(
        "threadgauge.request.latency", "s", HISTOGRAM,
        "From the intended time of a request to the last byte of its answer, timeouts included",
    ),
    SEND_DELAY("threadgauge.request.send_delay", "s", HISTOGRAM, "From the intended time of a request to sending it"),
    SCHEDULED("threadgauge.requests.scheduled", "{request}", COUNTER, "Requests that were due"),
    SENT("threadgauge.requests.sent", "{request}", COUNTER, "Requests sent"),
    ANSWERED("threadgauge.requests.answered", "{request}", COUNTER, "Correct answers"),
    FAILED("threadgauge.requests.failed", "{request}", COUNTER, "Requests without a correct answer, by error.type"),
    LOAD_TIME("threadgauge.load.time", "s", COUNTER, "Time under measured load"),
    LOAD_RATE("threadgauge.load.rate", "{request}/s", GAUGE, "Intended arrival rate of an open load"),
    LOAD_USERS("threadgauge.load.users", "{user}", GAUGE, "Users of a closed load"),
    THROUGHPUT("threadgauge.throughput", "{request}/s", GAUGE, "Correct answers per second in the last load or slice"),
    WARM_UP_THROUGHPUT(
        "threadgauge.warm_up.throughput", "{request}/s", GAUGE, "Correct answers per second in a warm-up iteration",
    ),
    TARGET_CPU("threadgauge.target.cpu.time", "s", COUNTER, "CPU time of the target under measured load"),
    TARGET_MEMORY("threadgauge.target.memory.usage", "By", GAUGE, "Resident memory of the target"),
    TARGET_THREADS("threadgauge.target.threads", "{thread}", GAUGE, "Threads of the target"),
    TARGET_START("threadgauge.target.start.duration", "s", GAUGE, "From starting the target to its first answer"),
    PHASE("threadgauge.run.phase", "{phase}", GAUGE, "1 for the phase that the run is in, 0 for the others"),
    BLOCK("threadgauge.run.block", "{block}", GAUGE, "Number of the block under way, from 1"),
    ROUND("threadgauge.run.round", "{round}", GAUGE, "Number of the round under way, from 1; 0 between rounds"),
    TIME_LEFT("threadgauge.run.time_left", "s", GAUGE, "Estimated time to the end of the run, at the last block"),
    TRIALS("threadgauge.trials", "{trial}", COUNTER, "Trials that ended, by threadgauge.trial.state"),
    ;

    /** Values are whole numbers. */
    val isWhole: Boolean get() = (unit.startsWith("{") && !unit.endsWith("/s")) || unit == "By"
}

/** Names of attributes. Those without `threadgauge` are OpenTelemetry's. */
internal object Attribute {
    const val EXPERIMENT = "threadgauge.experiment"
    const val STACK = "threadgauge.stack"
    const val SITUATION = "threadgauge.situation"
    const val TRIAL = "threadgauge.trial"
    const val TRIAL_STATE = "threadgauge.trial.state"
    const val PHASE = "threadgauge.phase"
    const val METHOD = "http.request.method"
    const val STATUS = "http.response.status_code"
    const val ADDRESS = "server.address"
    const val PORT = "server.port"
    const val ERROR = "error.type"
    const val CPU_MODE = "cpu.mode"
    const val SERVICE = "service.name"
    const val VERSION = "service.version"
    const val INSTANCE = "service.instance.id"
}

/** What exports: this program, in the run whose record is [run]. */
internal fun resourceOf(run: String): PointAttributes = mapOf(
    Attribute.SERVICE to "threadgauge", Attribute.VERSION to VERSION, Attribute.INSTANCE to run,
)

/** The phases of a run, in the order in which they come first. */
internal enum class RunPhase(val id: String) {
    /** Stacks that are not built are built. */
    BUILD("build"),

    /** The load agent warms up, and services start. */
    PREPARE("prepare"),
    START("start"),
    WARM_UP("warm-up"),
    MEASURING("measuring"),
    ENDED("ended"),
}

package threadgauge.model

import kotlinx.serialization.Serializable

/** Measurements and facts about a machine and the load agent on it, without conclusions. */
@Serializable
data class Checkup(
    val threadgauge: String,
    val machine: MachineFacts,
    /** Short consecutive rounds of the agent against the internal server. Their spread is a result, too. */
    val rounds: List<AgentRound>,
    /** Send delays of open loads, in ascending order of their rates. */
    val lags: List<SendLag>,
    /** Share of the machine's time that the hypervisor took away while loads were on, 0 to 1; null where unknown. */
    val steal: Double? = null,
    /**
     * Rounds of two equal servers, in the order in which they were measured: half of them with awake cores where that
     * is possible, else none.
     */
    val equalServers: List<EqualRound> = emptyList(),
)

/** One slice of load on each of two equal servers whose processes are alive together. */
@Serializable
data class EqualRound(
    /** Idle cores polled for work in this round instead of sleeping. */
    val awake: Boolean,
    val first: AgentRound,
    val second: AgentRound,
)

/** The machine during a check-up. Null always means that the system does not report the value. */
@Serializable
data class MachineFacts(
    val cpu: String,
    val operatingSystem: String,
    val kernel: String,
    val java: String,
    /** Cores that Threadgauge may use. */
    val cores: Int,
    /** Core numbers each side is pinned to; empty where nothing is pinned. */
    val targetCores: List<Int> = emptyList(),
    val agentCores: List<Int> = emptyList(),
    /** CPU quota of the control group, in cores, which may be less than the number of cores; null without a quota. */
    val quotaCores: Double? = null,
    val frequency: CpuFrequency? = null,
    val clockSource: String? = null,
    /** Cost of reading the clock once, in nanoseconds. */
    val clockReadNanos: Double? = null,
    val memoryBytes: Long,
    /** Memory available without swapping. */
    val memoryAvailableBytes: Long? = null,
    val swapUsedBytes: Long? = null,
    /** Share of the CPU time that was in use before anything was started, 0 to 1. */
    val busyBefore: Double? = null,
    val files: FileLimits? = null,
    val network: NetworkSettings = NetworkSettings(),
)

/** Maximum number of files and sockets that one process may have open: the soft and the hard limit. Null: no limit. */
@Serializable
data class FileLimits(val soft: Long?, val hard: Long?)

/** Settings of the kernel that limit connections. Null where the system does not report it. */
@Serializable
data class NetworkSettings(
    /** `net.ipv4.ip_local_port_range`: local ports of outgoing connections. */
    val ports: PortRange? = null,
    /** `net.core.somaxconn`: maximum length of the queue of connections that a server has not yet accepted. */
    val maxAcceptQueue: Long? = null,
    /** `net.ipv4.tcp_max_syn_backlog`: maximum length of the queue of half-open connections. */
    val maxHalfOpen: Long? = null,
    /** `net.ipv4.tcp_tw_reuse`: 0 never, 1 always, 2 on the loopback interface only. */
    val reuseWaiting: Long? = null,
)

/** Both ends included. */
@Serializable
data class PortRange(val first: Int, val last: Int) {
    val count: Int get() = last - first + 1
}

/** The frequency governor, and the speed of the slowest core in use just after it was busy. */
@Serializable
data class CpuFrequency(val governor: String?, val megahertz: Double?, val maxMegahertz: Double?) {
    /** Speed as a share of the maximum, 0 to 1 and a little above; null where unknown. */
    val share: Double? get() = if (megahertz == null || maxMegahertz == null) null else megahertz / maxMegahertz
}

/** One load of the agent on the internal server. */
@Serializable
data class AgentRound(val requestsPerSecond: Double, val cpuMicrosPerRequest: Double, val failed: Long)

/** Send delays of one open load. */
@Serializable
data class SendLag(
    val ratePerSecond: Double,
    /** From the intended time to sending. The maximum includes the opening of the first connections. */
    val sendDelay: Latency,
    /** Maximum delay of the task that each event loop runs every ten milliseconds. */
    val loopLagMicrosMax: Double,
    /** Above 1,000 requests per second and event loop the agent sends in steps of this length; 0 below. */
    val quantumMicros: Double,
    /** Requests without a correct answer. */
    val failed: Long,
)

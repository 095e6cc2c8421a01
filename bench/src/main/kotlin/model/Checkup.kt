package threadgauge.model

import kotlinx.serialization.Serializable

/** What the doctor saw of a machine and of the load agent on it: measurements and facts, nothing concluded. */
@Serializable
data class Checkup(
    val threadgauge: String,
    val machine: MachineFacts,
    /** The agent against the internal server, in short rounds one after the other: their spread is a fact too. */
    val rounds: List<AgentRound>,
    /** How late requests of an open load left, in the order of rising rates. */
    val lags: List<SendLag>,
    /** Share of the machine's time that the hypervisor took away during rounds and lags, 0 to 1; null where unknown. */
    val steal: Double? = null,
)

/** The machine as it was during a check-up. Null always means that the system does not report it. */
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
    /**
     * What the control group allows in all, in cores, which may be fewer than there are; null where it sets no quota.
     */
    val quotaCores: Double? = null,
    val frequency: CpuFrequency? = null,
    val clockSource: String? = null,
    /** What it costs to read the clock once, in nanoseconds. */
    val clockReadNanos: Double? = null,
    val memoryBytes: Long,
    /** Can be had without swapping. */
    val memoryAvailableBytes: Long? = null,
    val swapUsedBytes: Long? = null,
    /** Share of the machine that was at work before anything was started, 0 to 1. */
    val busyBefore: Double? = null,
    val files: FileLimits? = null,
    val network: NetworkSettings = NetworkSettings(),
)

/** Most files and sockets that one process may have open: as it is, and as far as it may raise it. Null: no limit. */
@Serializable
data class FileLimits(val soft: Long?, val hard: Long?)

/** Settings of the kernel that bound connections. Null where the system does not report it. */
@Serializable
data class NetworkSettings(
    /** `net.ipv4.ip_local_port_range`: what a connection gets as its own port. */
    val ports: PortRange? = null,
    /** `net.core.somaxconn`: the longest queue of connections that a server has not yet accepted. */
    val maxAcceptQueue: Long? = null,
    /** `net.ipv4.tcp_max_syn_backlog`: the longest queue of connections half open. */
    val maxHalfOpen: Long? = null,
    /** `net.ipv4.tcp_tw_reuse`: 0 never, 1 always, 2 on the loopback interface only. */
    val reuseWaiting: Long? = null,
)

/** Both ends included. */
@Serializable
data class PortRange(val first: Int, val last: Int) {
    val count: Int get() = last - first + 1
}

/** How the kernel chooses the speed of the cores, and that of the slowest one in use just after it had worked. */
@Serializable
data class CpuFrequency(val governor: String?, val megahertz: Double?, val maxMegahertz: Double?) {
    /** Speed as a share of the greatest, 0 to 1 and a little above; null where unknown. */
    val share: Double? get() = if (megahertz == null || maxMegahertz == null) null else megahertz / maxMegahertz
}

/** One round of the agent against the internal server. */
@Serializable
data class AgentRound(val requestsPerSecond: Double, val cpuMicrosPerRequest: Double, val failed: Long)

/** How late the requests of one open load left the agent. */
@Serializable
data class SendLag(
    val ratePerSecond: Double,
    /** From the intended time to the moment of sending. The greatest includes the opening of the first connections. */
    val sendDelay: Latency,
    /** How late an event loop woke for its duty of every ten milliseconds, at the worst. */
    val loopLagMicrosMax: Double,
    /** Above 1,000 requests per second and event loop the agent sends in steps of this length; 0 below. */
    val quantumMicros: Double,
    /** Requests that came to nothing. */
    val failed: Long,
)

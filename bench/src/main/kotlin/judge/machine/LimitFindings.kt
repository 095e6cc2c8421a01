package threadgauge.judge.machine

import threadgauge.model.FileLimits
import threadgauge.model.judgement.DoctorThresholds
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId

/** Limits and settings of the kernel that bound connections. */
internal val limitRules = listOf(
    FindingRule(FindingId.OPEN_FILES) { c ->
        val files = c.machine.files
        val least = files?.least
        fun open(limit: Long? = null) = FindingFact.OpenFiles(files!!.soft, files.hard, limit)
        when {
            files == null -> unknown()
            least == null -> fine(open())
            least < NEEDED_FILES -> problem(open(NEEDED_FILES))
            least < DoctorThresholds.MANY_CONNECTIONS -> note(open(DoctorThresholds.MANY_CONNECTIONS))
            else -> fine(open())
        }
    },
    // Linux has 28,232 ports by default (Documentation/networking/ip-sysctl).
    FindingRule(FindingId.LOCAL_PORTS) { c ->
        val ports = c.machine.network.ports
        fun range(limit: Long? = null) = FindingFact.Ports(ports!!.first, ports.last, limit)
        when {
            ports == null -> unknown()
            ports.count < DoctorThresholds.USUAL_CONNECTIONS -> problem(range(DoctorThresholds.USUAL_CONNECTIONS))
            ports.count < DoctorThresholds.MANY_CONNECTIONS -> note(range(DoctorThresholds.MANY_CONNECTIONS))
            else -> fine(range())
        }
    },
    // 4,096 since Linux 5.4, 128 before (listen(2)).
    FindingRule(FindingId.ACCEPT_QUEUE) { c -> queue("net.core.somaxconn", c.machine.network.maxAcceptQueue) },
    // Linux sets 128 to 4,096, depending on the size of the memory (tcp(7)).
    FindingRule(FindingId.HALF_OPEN_QUEUE) { c ->
        queue("net.ipv4.tcp_max_syn_backlog", c.machine.network.maxHalfOpen)
    },
    // 2 is the default since Linux 4.19: reuse on the loopback interface only, which agent and target share. Without
    // reuse, a closed connection keeps its port for 60 s.
    FindingRule(FindingId.PORT_REUSE) { c ->
        when (val reuse = c.machine.network.reuseWaiting) {
            null -> unknown()
            0L -> note(FindingFact.PortReuse(reuse))
            else -> fine(FindingFact.PortReuse(reuse))
        }
    },
)

/** Open files that are available for connections. */
internal fun connectionsWithin(files: FileLimits?): Long? =
    files?.least?.let { maxOf(0, it - DoctorThresholds.SPARE_FILES) }

/** The effective limit; null where there is none. */
private val FileLimits.least: Long? get() = listOfNotNull(soft, hard).minOrNull()

private fun queue(setting: String, length: Long?): FindingResult = when {
    length == null -> unknown()
    length < DoctorThresholds.USUAL_CONNECTIONS ->
        note(FindingFact.Queue(setting, length, DoctorThresholds.USUAL_CONNECTIONS))
    else -> fine(FindingFact.Queue(setting, length))
}

private const val NEEDED_FILES = DoctorThresholds.USUAL_CONNECTIONS + DoctorThresholds.SPARE_FILES

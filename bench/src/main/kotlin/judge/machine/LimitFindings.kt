package threadgauge.judge.machine

import threadgauge.model.FileLimits
import threadgauge.wording.whole

/** Limits and settings of the kernel that bound connections, each with its thresholds and where they come from. */
internal val limitRules = listOf(
    // An open load opens up to 1,000 connections unless told otherwise (Connections.most), on both sides.
    FindingRule("open-files", "Each connection takes one open file of the agent and one of the target.") { c ->
        val files = c.machine.files ?: return@FindingRule untold("how many files a process may open")
        val least = files.least ?: return@FindingRule fine("no limit")
        val seen = "${count(files.soft)} (soft) and ${count(files.hard)} (hard) for each process"
        val remedy = "Raise the limit in the shell from which you start Threadgauge:"
        when {
            least < USUAL_CONNECTIONS + SPARE_FILES ->
                problem("$seen (limit ${count(USUAL_CONNECTIONS + SPARE_FILES)})", remedy, RAISE_FILES)
            least < MANY_FILES -> note("$seen (limit ${count(MANY_FILES)})", remedy, RAISE_FILES)
            else -> fine(seen)
        }
    },
    // 28,232 ports are Linux's own choice (Documentation/networking/ip-sysctl).
    FindingRule("local-ports", "Each connection of the agent to one server needs a port of its own on this side.") { c ->
        val ports = c.machine.network.ports ?: return@FindingRule untold("its range of ports")
        val seen = "${count(ports.count.toLong())} (${ports.first} to ${ports.last})"
        val remedy = "Widen the range:"
        val command = "sudo sysctl -w net.ipv4.ip_local_port_range=\"10240 65535\""
        when {
            ports.count < USUAL_CONNECTIONS -> problem("$seen (limit ${count(USUAL_CONNECTIONS)})", remedy, command)
            ports.count < MANY_FILES -> note("$seen (limit ${count(MANY_FILES)})", remedy, command)
            else -> fine(seen)
        }
    },
    // 4,096 since Linux 5.4, 128 before (listen(2)).
    FindingRule("accept-queue", "When many connect at once, what does not fit into the queue waits a second to try again.") { c ->
        queue(c.machine.network.maxAcceptQueue, "net.core.somaxconn", "4096")
    },
    // Linux chooses 128 to 4,096 by the size of the memory (tcp(7)).
    FindingRule("half-open-queue", "When many connect at once, what does not fit into the queue waits a second to try again.") { c ->
        queue(c.machine.network.maxHalfOpen, "net.ipv4.tcp_max_syn_backlog", "4096")
    },
    // 2 is the default since Linux 4.19: on the loopback interface only, which is where agent and target meet. A closed
    // connection otherwise keeps its port for 60 s.
    FindingRule("port-reuse", "Where each request has a connection of its own, ports run out within a minute.") { c ->
        when (val reuse = c.machine.network.reuseWaiting) {
            null -> untold("whether it uses ports again")
            0L -> note(
                "net.ipv4.tcp_tw_reuse is 0: a port can be used again only after a minute",
                "Allow it, at least on the loopback interface:",
                "sudo sysctl -w net.ipv4.tcp_tw_reuse=2",
            )
            else -> fine("net.ipv4.tcp_tw_reuse is $reuse")
        }
    },
)

/** What is left of the open files for connections: Java's own libraries, its pipes and what the server itself holds go off. */
internal fun connectionsWithin(files: FileLimits?): Long? = files?.least?.let { maxOf(0, it - SPARE_FILES) }

/** The limit that holds; null where none does. */
private val FileLimits.least: Long? get() = listOfNotNull(soft, hard).minOrNull()

private fun queue(length: Long?, setting: String, proposed: String): Look = when {
    length == null -> untold(setting)
    length < USUAL_CONNECTIONS ->
        note("$setting is ${count(length)} (limit ${count(USUAL_CONNECTIONS)})", "Lengthen the queue:", "sudo sysctl -w $setting=$proposed")
    else -> fine("$setting is ${count(length)}")
}

private fun count(number: Long?) = if (number == null) "no limit" else whole(number.toDouble())

/** What an open load opens at most, unless the experiment says otherwise. */
private const val USUAL_CONNECTIONS = 1_000L
private const val SPARE_FILES = 200L

/** Experiments with thousands of users are common; more than ten thousand are rare. */
private const val MANY_FILES = 10_000L
private const val RAISE_FILES = "sudo prlimit --pid $$ --nofile=65536"

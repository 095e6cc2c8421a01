package threadgauge.target

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists

/**
 * A process that accepts TCP connections at a port. [host] is an address at which this machine reaches it. [otherHost]
 * is a second one, to be tried if the first refuses the connection: a socket on all IPv6 addresses may or may not
 * accept IPv4 as well, and the kernel does not show which (IPV6_V6ONLY in ipv6(7)).
 */
data class Listening(val pid: Long, val host: String, val port: Int, val otherHost: String? = null)

/**
 * All TCP ports that [pids] listen on, in order. On Linux from the tables in `/proc`, elsewhere from `lsof`; empty
 * where there is neither.
 */
internal fun listening(pids: Collection<Long>): List<Listening> =
    (if (Path.of("/proc/self/net/tcp").exists()) byTables(pids) else byLsof(pids))
        .sortedWith(compareBy({ it.port }, { it.pid }))

/**
 * All processes that listen on [port], but for this one, as far as this user may see them. The lowest process id comes
 * first: the parent, if several share the socket.
 */
internal fun listenersOn(port: Int): List<Listening> {
    val own = ProcessHandle.current().pid()
    val pids = ProcessHandle.allProcesses().map { it.pid() }.filter { it != own }.toList()
    return listening(pids).filter { it.port == port }
}

/** The inode number of a socket links the table of sockets to the open files of a process. */
private fun byTables(pids: Collection<Long>): List<Listening> {
    val sockets = listeningSockets(socketsAround("self"))
    return pids.flatMap { pid ->
        inodesOf(pid).mapNotNull { sockets[it] }.map { it.copy(pid = pid) }.distinct()
    }
}

/** Listening sockets by inode number, without their processes, from [rows] of the kernel's tables. */
internal fun listeningSockets(rows: List<SocketRow>): Map<Long, Listening> = rows.filter { it.listens }.associate {
    val isEverywhere = it.local.isOfIpv6 && it.local.isEverywhere
    it.inode to Listening(NOBODY, it.local.host, it.local.port, LOOPBACK_6.takeIf { isEverywhere })
}

private fun byLsof(pids: Collection<Long>): List<Listening> = runCatching {
    val command = listOf("lsof", "-nP", "-a", "-iTCP", "-sTCP:LISTEN", "-p", pids.joinToString(","), "-Fpn")
    val lsof = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start()
    val lines = lsof.inputReader().use { it.readLines() }
    lsof.waitFor(LSOF_SECONDS, TimeUnit.SECONDS)
    lsofLines(lines)
}.getOrDefault(emptyList())

/** Parses the output of `lsof -F pn`: `p123` begins a process, `n*:8080` is one of its sockets. */
internal fun lsofLines(lines: List<String>): List<Listening> {
    var pid = 0L
    return lines.mapNotNull { line ->
        if (line.startsWith("p")) pid = line.drop(1).toLongOrNull() ?: 0
        val port = line.substringAfterLast(':', "").toIntOrNull()
        if (!line.startsWith("n") || port == null) return@mapNotNull null
        val address = line.drop(1).substringBeforeLast(':').trim('[', ']')
        val isEverywhere = address in EVERYWHERE
        Listening(pid, if (isEverywhere) LOOPBACK else address, port, LOOPBACK_6.takeIf { isEverywhere })
    }.distinct()
}

internal const val LOOPBACK = "127.0.0.1"
private const val LOOPBACK_6 = "::1"
private const val NOBODY = 0L
private const val LSOF_SECONDS = 5L
private val EVERYWHERE = setOf("*", "0.0.0.0", "::")

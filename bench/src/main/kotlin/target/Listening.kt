package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.streams.asSequence

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
    val sockets = tables("/proc/self")
    return pids.flatMap { pid ->
        socketsOf(pid).mapNotNull { sockets[it] }.map { it.copy(pid = pid) }.distinct()
    }
}

private fun tables(process: String): Map<Long, Listening> =
    listOf("tcp", "tcp6").fold(emptyMap()) { all, name ->
        all + listeningSockets(runCatching { Path.of(process, "net", name).readLines() }.getOrDefault(emptyList()))
    }

/** Inode numbers of the sockets that [pid] has open; empty if the process is gone or belongs to another user. */
private fun socketsOf(pid: Long): List<Long> = runCatching {
    Files.list(Path.of("/proc/$pid/fd")).use { files ->
        files.asSequence().mapNotNull { file -> runCatching { Files.readSymbolicLink(file).name }.getOrNull() }
            .mapNotNull { SOCKET.matchEntire(it)?.groupValues?.get(1)?.toLong() }.toList()
    }
}.getOrDefault(emptyList())

/**
 * Listening sockets by inode number, without their processes, from the lines of `/proc/net/tcp` or `/proc/net/tcp6`
 * (`Documentation/networking/proc_net_tcp.rst` of Linux). State 0A is LISTEN; the tenth field is the inode number.
 */
internal fun listeningSockets(lines: List<String>): Map<Long, Listening> = lines.mapNotNull { line ->
    val fields = line.trim().split(BLANKS)
    if (fields.size < 10 || fields[3] != "0A") return@mapNotNull null
    val (address, port) = fields[1].split(':').takeIf { it.size == 2 } ?: return@mapNotNull null
    val number = fields[9].toLongOrNull() ?: return@mapNotNull null
    val isEverywhere = address.length > IPV4_DIGITS && address.all { it == '0' }
    number to Listening(NOBODY, addressOf(address), port.toInt(16), LOOPBACK_6.takeIf { isEverywhere })
}.toMap()

/**
 * Decodes an address from words of four bytes, each with its lowest byte first. A socket on all addresses is reached
 * through the loopback address.
 */
private fun addressOf(hex: String): String {
    val bytes = hex.chunked(8).flatMap { it.chunked(2).asReversed() }.map { it.toInt(16) }
    val mapped = bytes.size == 16 && bytes.take(10).all { it == 0 } && bytes[10] == 255 && bytes[11] == 255
    return when {
        bytes.all { it == 0 } -> LOOPBACK
        bytes.size == 4 -> bytes.joinToString(".")
        mapped -> bytes.drop(12).joinToString(".").let { if (it == "0.0.0.0") LOOPBACK else it }
        bytes.dropLast(1).all { it == 0 } -> "::%x".format(bytes.last())
        else -> bytes.chunked(2).joinToString(":") { (high, low) -> "%x".format(high * 256 + low) }
    }
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

private const val LOOPBACK = "127.0.0.1"
private const val LOOPBACK_6 = "::1"
private const val NOBODY = 0L
private const val IPV4_DIGITS = 8
private const val LSOF_SECONDS = 5L
private val EVERYWHERE = setOf("*", "0.0.0.0", "::")
private val BLANKS = Regex("\\s+")
private val SOCKET = Regex("socket:\\[(\\d+)]")

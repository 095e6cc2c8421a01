package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.streams.asSequence

/**
 * A process that accepts TCP connections at a port. [host] is an address to reach it at from this machine. [otherHost]
 * is a second one, for where nothing answers at the first: what listens on every address of IPv6 may or may not listen
 * on those of IPv4 as well, and the kernel does not show which (IPV6_V6ONLY in ipv6(7)).
 */
data class Listening(val pid: Long, val host: String, val port: Int, val otherHost: String? = null)

/**
 * Whatever [pids] listen on, in the order of ports; on Linux from the kernel's own tables, elsewhere from `lsof` if
 * that is there.
 */
internal fun listening(pids: Collection<Long>): List<Listening> =
    (if (Path.of("/proc/self/net/tcp").exists()) byTables(pids) else byLsof(pids))
        .sortedWith(compareBy({ it.port }, { it.pid }))

/** All processes of this user that listen on [port]: the first is the parent where several share it. */
internal fun listenersOn(port: Int): List<Listening> {
    val own = ProcessHandle.current().pid()
    val pids = ProcessHandle.allProcesses().map { it.pid() }.filter { it != own }.toList()
    return listening(pids).filter { it.port == port }
}

/**
 * A socket has a number, which stands both in the table of sockets and, as a link, among the open files of its process.
 */
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

private fun socketsOf(pid: Long): List<Long> = runCatching {
    Files.list(Path.of("/proc/$pid/fd")).use { files ->
        files.asSequence().mapNotNull { file -> runCatching { Files.readSymbolicLink(file).name }.getOrNull() }
            .mapNotNull { SOCKET.matchEntire(it)?.groupValues?.get(1)?.toLong() }.toList()
    }
}.getOrDefault(emptyList())

/**
 * Address and port of each listening socket by its number, without its process, from the lines of `/proc/net/tcp` or
 * `/proc/net/tcp6` (proc_net_tcp in Documentation/networking of Linux): state 0A is listening, field 10 is the number.
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
 * Words of four bytes, each with its lowest byte first. What listens on every address is reached by way of the loopback
 * one.
 */
private fun addressOf(hex: String): String {
    val bytes = hex.chunked(8).flatMap { it.chunked(2).asReversed() }.map { it.toInt(16) }
    val mapped = bytes.size == 16 && bytes.take(10).all { it == 0 } && bytes[10] == 255 && bytes[11] == 255
    return when {
        bytes.all { it == 0 } -> LOOPBACK
        bytes.size == 4 -> bytes.joinToString(".")
        mapped -> bytes.drop(12).joinToString(".").let { if (it == "0.0.0.0") LOOPBACK else it }
        bytes.dropLast(1).all { it == 0 } -> "::${bytes.last()}"
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

/** Lines of `lsof -F pn`: `p123` begins a process, `n*:8080` is one of its sockets. */
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

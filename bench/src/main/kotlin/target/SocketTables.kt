package threadgauge.target

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.streams.asSequence

/** A TCP socket in a table of the kernel. [inode] links it to the open files of a process. */
internal class SocketRow(
    val inode: Long,
    /** Two hexadecimal digits; `0A` is LISTEN. */
    private val state: String,
    val local: SocketEnd,
    val remote: SocketEnd,
) {
    val listens get() = state == "0A"
}

/** An address as the digits of a table, and a port. */
internal class SocketEnd(private val digits: String, val port: Int) {
    val isEverywhere get() = digits.all { it == '0' }
    val isOfIpv6 get() = digits.length > IPV4_DIGITS

    /** A socket on all addresses is reached through the loopback address. */
    val host: String get() = addressOf(digits)
}

/**
 * The sockets in [lines] of `/proc/net/tcp` or `/proc/net/tcp6` (`Documentation/networking/proc_net_tcp.rst` of
 * Linux): the second and third field are its ends, the fourth is its state, the tenth the inode number. Others are left
 * out, and so are sockets that no process has any more, of which there may be ten thousand.
 */
internal fun socketRows(lines: List<String>): List<SocketRow> = lines.mapNotNull { line ->
    if (TIME_WAIT in line) return@mapNotNull null
    val fields = line.trim().split(BLANKS)
    if (fields.size < 10) return@mapNotNull null
    SocketRow(
        fields[9].toLongOrNull() ?: return@mapNotNull null,
        fields[3],
        endOf(fields[1]) ?: return@mapNotNull null,
        endOf(fields[2]) ?: return@mapNotNull null,
    )
}

/** All TCP sockets in the network that the process with [id], or `self`, is in; empty where there are no tables. */
internal fun socketsAround(id: String): List<SocketRow> = listOf("tcp", "tcp6").flatMap { name ->
    socketRows(runCatching { Path.of("/proc", id, "net", name).readLines() }.getOrDefault(emptyList()))
}

/** Inode numbers of the sockets that [pid] has open; empty if the process is gone or belongs to another user. */
internal fun inodesOf(pid: Long): Set<Long> = runCatching {
    Files.list(Path.of("/proc/$pid/fd")).use { files ->
        files.asSequence().mapNotNull { file -> runCatching { Files.readSymbolicLink(file).name }.getOrNull() }
            .mapNotNullTo(LinkedHashSet()) { SOCKET.matchEntire(it)?.groupValues?.get(1)?.toLong() }
    }
}.getOrDefault(emptySet())

private fun endOf(field: String): SocketEnd? {
    val parts = field.split(':').takeIf { it.size == 2 } ?: return null
    return SocketEnd(parts[0], parts[1].toIntOrNull(16) ?: return null)
}

/** Decodes an address from words of four bytes, each with its lowest byte first. */
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

private const val IPV4_DIGITS = 8

/** The state, and empty queues. */
private const val TIME_WAIT = " 06 00000000:00000000 "
private val BLANKS = Regex("\\s+")
private val SOCKET = Regex("socket:\\[(\\d+)]")

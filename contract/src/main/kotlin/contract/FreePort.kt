package threadgauge.contract

import java.io.IOException
import java.net.ServerSocket
import java.nio.channels.FileChannel
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import kotlin.random.Random

/**
 * A free port, for a server that is about to start.
 *
 * It is below the ephemeral range, which begins at 32,768 on Linux and later elsewhere: a load opens thousands of
 * connections, and one of them could take the port before the server listens. The port is also reserved as long as
 * this process lives, among all processes of this user. A server takes seconds to listen, and one that is killed and
 * started again keeps its port. Any thread may call this.
 */
fun freePort(): Int =
    generateSequence { Random.nextInt(FIRST, FIRST_EPHEMERAL) }.take(TRIES)
        .firstOrNull { isFree(it) && PortReservations.reserve(it) }
        ?: ServerSocket(0).use { it.localPort }

private fun isFree(port: Int) = try {
    ServerSocket(port).close()
    true
} catch (_: IOException) {
    false
}

/** Ports that processes have reserved. Each is a byte of one file, which a process locks until it ends. */
internal object PortReservations {
    /** Null if the file cannot be opened: then ports differ only by chance. Never closed, which would unlock it. */
    private val file: FileChannel? = try {
        FileChannel.open(path, CREATE, WRITE)
    } catch (_: IOException) {
        null
    }

    val path: Path
        get() = Path.of(System.getProperty("java.io.tmpdir"), "threadgauge-ports-${System.getProperty("user.name")}")

    /** False if a process has reserved it, this one included. */
    fun reserve(port: Int): Boolean = try {
        file == null || file.tryLock(port.toLong(), 1, false) != null
    } catch (_: OverlappingFileLockException) {
        false
    } catch (_: IOException) {
        true
    }
}

/** Lower ports belong to well-known services. */
private const val FIRST = 10_000
private const val FIRST_EPHEMERAL = 32_768
private const val TRIES = 1_000

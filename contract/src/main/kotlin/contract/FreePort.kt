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
 * A port that nobody listens on, for a server that is to be started. Between this and the server's own start others may take one of those
 * that the system deals out to connections by itself, and a load of thousands of connections does; so it is none of these, which begin at
 * 32,768 on Linux and later elsewhere. Nor does this give it to anybody else as long as this process lives, here or in another process of
 * the same user: a server takes seconds to listen, and one that is killed and started again keeps its port. Any thread.
 */
fun freePort(): Int =
    generateSequence { Random.nextInt(FIRST, FIRST_DEALT_OUT) }.take(TRIES).firstOrNull { isFree(it) && Claims.claim(it) }
        ?: ServerSocket(0).use { it.localPort }

private fun isFree(port: Int) = try {
    ServerSocket(port).close()
    true
} catch (_: IOException) {
    false
}

/** Ports that processes have for themselves: each is a byte of one file, and whoever has locked it has the port until he ends. */
internal object Claims {
    /** Null where there is no place for such a file; then chance alone keeps ports apart. Never closed: locks would go with it. */
    private val file: FileChannel? = try {
        FileChannel.open(path, CREATE, WRITE)
    } catch (_: IOException) {
        null
    }

    val path: Path get() = Path.of(System.getProperty("java.io.tmpdir"), "threadgauge-ports-${System.getProperty("user.name")}")

    /** False where somebody has it. */
    fun claim(port: Int): Boolean = try {
        file == null || file.tryLock(port.toLong(), 1, false) != null
    } catch (_: OverlappingFileLockException) {
        false
    } catch (_: IOException) {
        true
    }
}

/** Below, services have numbers of their own. */
private const val FIRST = 10_000
private const val FIRST_DEALT_OUT = 32_768
private const val TRIES = 1_000

package threadgauge.contract

import java.io.IOException
import java.net.ServerSocket
import kotlin.random.Random

/**
 * A port that nobody listens on, for a server that is to be started. Between this and the server's own start others may take one of those
 * that the system deals out to connections by itself, and a load of thousands of connections does; so it is none of these, which begin at
 * 32,768 on Linux and later elsewhere. Any thread.
 */
fun freePort(): Int = generateSequence { Random.nextInt(FIRST, FIRST_DEALT_OUT) }.take(TRIES).firstOrNull(::isFree)
    ?: ServerSocket(0).use { it.localPort }

private fun isFree(port: Int) = try {
    ServerSocket(port).close()
    true
} catch (_: IOException) {
    false
}

/** Below, services have numbers of their own. */
private const val FIRST = 10_000
private const val FIRST_DEALT_OUT = 32_768
private const val TRIES = 1_000

package threadgauge.server.upstream

import kotlin.system.exitProcess

/**
 * The slow backend. It serves `--port=8090`, by default a free port, and prints `ready upstream=http://…` when it
 * serves.
 */
fun main(arguments: Array<String>) {
    val unknown = arguments.filterNot { it.startsWith(PORT) }
    val port = arguments.lastOrNull { it.startsWith(PORT) }?.removePrefix(PORT)?.ifEmpty { "0" } ?: "0"
    if (unknown.isNotEmpty() || port.toIntOrNull() !in 0..MAX_PORT) {
        val actual = arguments.joinToString(" ")
        System.err.println("upstream: expected --port= from 0 to $MAX_PORT and nothing else, not $actual")
        exitProcess(EXIT_USAGE)
    }
    val upstream = try {
        Upstream.start(port.toInt())
    } catch (taken: java.net.BindException) {
        System.err.println("upstream: port $port is already in use (${taken.message})")
        exitProcess(EXIT_UNAVAILABLE)
    }
    println("ready upstream=http://127.0.0.1:${upstream.port}")
}

private const val PORT = "--port="
private const val MAX_PORT = 65_535
private const val EXIT_USAGE = 64
private const val EXIT_UNAVAILABLE = 69

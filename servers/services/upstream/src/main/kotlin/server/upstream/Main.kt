package threadgauge.server.upstream

import kotlin.system.exitProcess

/** The slow backend: `--port=8090` says where, 0 or nothing finds a free port. Says `ready upstream=http://…` when it serves. */
fun main(arguments: Array<String>) {
    val wrong = arguments.filterNot { it.startsWith(PORT) }
    val port = arguments.lastOrNull { it.startsWith(PORT) }?.removePrefix(PORT)?.ifEmpty { "0" } ?: "0"
    if (wrong.isNotEmpty() || port.toIntOrNull() !in 0..MAX_PORT) {
        System.err.println("upstream: give --port=NUMBER from 0 to $MAX_PORT and nothing else, not ${arguments.joinToString(" ")}")
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

package threadgauge.server.upstream

import kotlin.system.exitProcess

/**
 * The slow backend. It serves `--port=8090`, by default a free port, and prints `ready upstream=http://…` when it
 * serves. With `--delay=80` it is a stand-in that answers any request after so many milliseconds, see [StandIn].
 */
fun main(arguments: Array<String>) {
    val options = arguments.associate { it.removePrefix("--").substringBefore('=') to it.substringAfter('=', "") }
    val port = options["port"].orEmpty().ifEmpty { "0" }
    val isSound = arguments.all { it.startsWith("--") } && (options.keys - KNOWN).isEmpty() &&
        ("delay" in options || options.keys.all { it == "port" })
    if (!isSound || port.toIntOrNull() !in 0..MAX_PORT) {
        val actual = arguments.joinToString(" ")
        usage("expected --port= from 0 to $MAX_PORT, with --delay= also --errors=, --body= and --type=, not $actual")
    }
    val standIn = try {
        if ("delay" in options) StandIn.of(options) else null
    } catch (wrong: IllegalArgumentException) {
        usage(wrong.message.orEmpty())
    }
    val upstream = try {
        Upstream.start(port.toInt(), standIn)
    } catch (taken: java.net.BindException) {
        System.err.println("upstream: port $port is already in use (${taken.message})")
        exitProcess(EXIT_UNAVAILABLE)
    }
    println("ready upstream=http://127.0.0.1:${upstream.port}")
}

private fun usage(why: String): Nothing {
    System.err.println("upstream: $why")
    exitProcess(EXIT_USAGE)
}

private val KNOWN = setOf("port", "delay", "errors", "body", "type")
private const val MAX_PORT = 65_535
private const val EXIT_USAGE = 64
private const val EXIT_UNAVAILABLE = 69

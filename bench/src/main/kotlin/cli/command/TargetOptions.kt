package threadgauge.cli.command

import com.github.ajalt.clikt.core.PrintMessage
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import threadgauge.cli.ExitCode
import threadgauge.cli.stop
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.plan.command.TryOrder

/** What `try` and `knee` must know of any target and of how to ask it. */
internal class TargetOptions : OptionGroup() {
    val request by option("--request", metavar = "file", help = "File with the keys of \"request\" in experiment files")
        .path()
    val port by option("--port", help = "Port that the service serves, where it cannot be found out").int()
    val startWithin by option("--start-within", metavar = "time", help = "Patience with the start (default: 120s)")
    val warmUp by option("--warm-up", metavar = "time", help = "Most time to warm a fresh process up (default: 30s)")
    val http2 by option("--http2", help = "Speak HTTP/2").flag()
    val tls by option("--tls", help = "Speak TLS with a service that is started; an https:// URL says so itself").flag()
    val insecure by option("--insecure", help = "Believe any certificate").flag()
    val maxHeaderBytes by option(
        "--max-header-bytes", metavar = "N", help = "Longest head of an answer that is read (default: 1000000)",
    )
    val repeatUnprocessed by option("--repeat-unprocessed", help = "Repeat once what the server did not process").flag()
    val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()

    fun order(targets: List<String>, path: String?) = TryOrder(
        targets = targets, path = path, requestFile = request, port = port, startWithin = startWithin,
        warmUp = warmUp, http2 = http2, tls = tls, insecure = insecure, maxHeaderBytes = maxHeaderBytes,
        repeatUnprocessed = repeatUnprocessed, mayLoad = mayLoad.toSet(),
    )
}

/** Of the option that every command has which loads what a user names. */
internal const val MAY_LOAD_HELP = "Load this host although it is not this machine"

/** Mistakes in files have lines, and so have goals, whose place is shown too; all others are of the command line. */
internal fun ended(wrong: ExperimentMistakes): PrintMessage {
    val isOfFile = wrong.mistakes.any { it.line > 0 && !it.file.startsWith("--") }
    return stop(if (isOfFile) ExitCode.BAD_FILE else ExitCode.USAGE, wrong.message.orEmpty())
}

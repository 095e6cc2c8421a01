package threadgauge.cli.command.option

import com.github.ajalt.clikt.core.PrintMessage
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.validate
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import threadgauge.cli.ExitCode
import threadgauge.cli.stop
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.plan.command.TryOrder

/** Options of `try` and `knee` about the targets and their requests. */
internal class TargetOptions : OptionGroup() {
    val against by option("--against", metavar = "target", help = "Compare with this target; up to four times")
        .multiple().validate { if (it.size > MAX_AGAINST) fail("at most $MAX_AGAINST targets can be compared with") }
    val name by option("--name", help = "Name of the target in the report")
    val againstNames by option(
        "--against-name", metavar = "name", help = "Names of the --against targets, in their order",
    )
        .multiple().validate { if (it.size > against.size) fail("there are more names than --against") }
    val request by option("--request", metavar = "file", help = "File with the request, as in experiment files")
        .path()
    val port by option("--port", help = "Port of the service (default: detected)").int()
    val startWithin by option("--start-within", metavar = "time", help = "Time limit for the start (default: 120s)")
    val warmUp by option("--warm-up", metavar = "time", help = "Warm-up budget per fresh process (default: 30s)")
    val http2 by option("--http2", help = "Use HTTP/2").flag()
    val tls by option("--tls", help = "Use TLS with a service that is started; https:// URLs imply it").flag()
    val insecure by option("--insecure", help = "Accept any certificate").flag()
    val maxHeaderBytes by option(
        "--max-header-bytes", metavar = "N", help = "Maximum size of the headers of an answer (default: 1000000)",
    )
    val repeatUnprocessed by option("--repeat-unprocessed", help = "Retry once what the server did not process").flag()
    val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()

    fun order(target: String, path: String?) = TryOrder(
        targets = listOf(target) + against, names = listOf(name) + againstNames, path = path, requestFile = request,
        port = port, startWithin = startWithin, warmUp = warmUp, http2 = http2, tls = tls, insecure = insecure,
        maxHeaderBytes = maxHeaderBytes, repeatUnprocessed = repeatUnprocessed, mayLoad = mayLoad.toSet(),
    )
}

private const val MAX_AGAINST = 4

/** Of the option that every command has which loads what a user names. */
internal const val MAY_LOAD_HELP = "Allow load on this host, which is not this machine"

/** Mistakes in files have lines. So have those in goals, which are options; all others are of the command line, too. */
internal fun ended(wrong: ExperimentMistakes): PrintMessage {
    val isOfFile = wrong.mistakes.any { it.line > 0 && !it.file.startsWith("--") }
    return stop(if (isOfFile) ExitCode.BAD_FILE else ExitCode.USAGE, wrong.message.orEmpty())
}

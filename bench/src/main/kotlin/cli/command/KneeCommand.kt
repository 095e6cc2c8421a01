package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.deprecated
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.cli.REPEATS_ARE_TRIALS
import threadgauge.cli.command.option.RemoteAgentOptions
import threadgauge.cli.command.option.TargetOptions
import threadgauge.cli.command.option.TelemetryOptions
import threadgauge.cli.command.option.ended
import threadgauge.cli.command.publish.TARGET_HELP
import threadgauge.cli.command.publish.newFolder
import threadgauge.cli.command.publish.runAndPublish
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.plan.Plan
import threadgauge.plan.command.KneeOrder
import threadgauge.plan.command.readKnee
import threadgauge.plan.withAgents

/** `threadgauge knee`: up to which arrival rate does a target meet its goals, and others beside it? */
internal class KneeCommand : CliktCommand(name = "knee") {
    private val target by argument("target", help = TARGET_HELP)
    private val slo by option("--slo", metavar = "goals", help = "Goals of the target (default: p99<100ms,errors<0.1%)")
    private val path by option(
        "--path", metavar = "/path", help = "Path and query to GET (default: /, or /hello for a stack)",
    )
    private val want by option(
        "--want", metavar = "rate", help = "Compute how many replicas this rate needs, such as 10000/s",
    )
    private val headroom by option(
        "--headroom", metavar = "share", help = "Spare capacity of the replicas (default: 30%)",
    )
    private val trials by option(
        "--trials", metavar = "n", help = "Fresh processes, with a search in each (default: 1)",
    )
    private val repeats by option("--repeats", hidden = true).deprecated(REPEATS_ARE_TRIALS)
    private val from by option(
        "--from", metavar = "rate", help = "Start at this rate and double it (default: derived from closed loads)",
    )
    private val to by option("--to", metavar = "rate", help = "Highest rate")
    private val probe by option("--probe", metavar = "time", help = "Length of a probe near the knee (default: 5s)")
    private val probes by option("--probes", metavar = "n", help = "Maximum number of probes per process (default: 20)")
    private val of by TargetOptions()
    private val agents by RemoteAgentOptions()
    private val out by option("--out", help = "Folder for records (default: results)").path(canBeFile = false)
        .default(Path.of("results"))
    private val telemetry by TelemetryOptions()
    private val json by option(
        "--json", help = "Print one JSON document instead of tables; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Find the highest arrival rate at which a target meets its goals, with an interval.

        Goals are latencies (p50, p90, p99, p99.9, mean, max) and errors. Latency counts from the time at which a
        request was due. Takes two to three minutes per process that answers quickly. Several targets are alive side by
        side, and their probes take turns.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge knee ktor-netty
          threadgauge knee spring-mvc --path /delay/20 --slo "p99<50ms,errors<0.1%"
          threadgauge knee ktor-netty --want 100000/s --headroom 30% --trials 3
          threadgauge knee spring-mvc --against spring-mvc-virtual --path /delay/20
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "the knee was found, of each target",
        ExitCode.CANNOT_TELL to "it was not: never kept, never broken, the load agent is the limit,\n" +
            "or too little was seen; the report says which",
        ExitCode.USAGE to "the command line is invalid; nothing was started",
        ExitCode.BAD_FILE to "the file of --request or a stacks.yaml is invalid; nothing was started",
        ExitCode.UNAVAILABLE to "the process of the target or the load agent is missing or has stopped",
        ExitCode.NOT_WRITABLE to "results could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C; record and report are kept",
    )

    override fun run() {
        telemetry.verify()
        val code = plan().let {
            runAndPublish(it, newFolder(it, out), terminal, json, telemetry = telemetry.order)
        }
        if (code != ExitCode.DONE) throw ProgramResult(code.number)
    }

    private fun plan(): Plan {
        val what = of.order(target, path)
        return try {
            readKnee(KneeOrder(
                what, slo, from, to, probe, probes, want, headroom, trials ?: repeats,
            ), StackCatalogue.read(home)).withAgents(agents.read(), "--agents")
        } catch (wrong: ExperimentMistakes) {
            throw ended(wrong)
        }
    }
}

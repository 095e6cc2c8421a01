package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import java.time.format.DateTimeParseException
import java.util.Locale
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.onInterrupt
import threadgauge.cli.stop
import threadgauge.experiment.target.refuseOtherHosts
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.agent.SliceRun

/** `threadgauge agent`: one machine's share of a load that several machines send. */
internal class AgentCommand : CliktCommand(name = "agent") {
    private val orderFile by argument(
        "order", help = "Work order, a JSON file; see docs/guides/several-machines.md",
    ).path()
    private val slice by option(
        "--slice", metavar = "i/n", help = "Slice i of n equal slices of the load, such as 0/3; i counts from 0",
    )
        .convert { text -> sliceOf(text) ?: fail("write two numbers, such as 0/3, the first smaller than the second") }
    private val startAt by option(
        "--start-at", metavar = "instant", help = "Start of the load, the same for all agents: 2026-11-21T12:00:00Z",
    )
        .convert { text -> instantOf(text) ?: fail("write an instant with its zone, such as 2026-11-21T12:00:00Z") }
    private val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()
    private val out by option("--out", help = "Folder for the results of the agent (default: results/load)")
        .path(canBeFile = false).default(Path.of("results/load"))
    private val json by option(
        "--json", help = "Print one JSON document instead of text; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Put one slice of a load on a target, without a coordinator.

        For loads that one machine cannot bring: give each machine the same order, another slice, and the same start.
        Then bring the files together and merge them.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge agent order.json
          threadgauge agent order.json --slice 0/3 --start-at 2026-11-21T12:00:00Z --out results/sale
          threadgauge merge results/sale
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done",
        ExitCode.USAGE to "the command line is wrong, or a host may not be loaded; nothing was started",
        ExitCode.BAD_FILE to "the order is wrong; nothing was started",
        ExitCode.UNAVAILABLE to "the load agent stopped",
        ExitCode.NOT_WRITABLE to "what was measured could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C",
    )

    override fun run() {
        val cancellation = Cancellation()
        try {
            val run = SliceRun.of(orderFile, slice?.first, slice?.second, startAt, out, cancellation)
            refuseOtherHosts("$orderFile", run.hosts, mayLoad)
            onInterrupt(cancellation, "stopping the load agent") { run.load(::tell) }
            System.err.println("Slice: ${run.file}")
            if (run.isWhole) publishSlices(listOf(run.file), out, terminal, json)
        } catch (wrong: ExperimentMistakes) {
            throw ended(wrong)
        } catch (_: Cancelled) {
            throw ProgramResult(ExitCode.INTERRUPTED.number)
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The results cannot be written to $out: ${denied.message}")
        }
    }

    private fun tell(second: Int, active: Int, answered: Long, failed: Long) =
        System.err.println("%4d s  %,12d answered  %,8d failed  %,8d in flight".format(
            Locale.ROOT, second + 1, answered, failed, active,
        ))
}

private fun sliceOf(text: String): Pair<Int, Int>? {
    val numbers = text.split('/').map { it.trim().toIntOrNull() ?: return null }
    return if (numbers.size == 2 && numbers[0] in 0..<numbers[1]) numbers[0] to numbers[1] else null
}

private fun instantOf(text: String): Instant? = try {
    Instant.parse(text)
} catch (_: DateTimeParseException) {
    null
}

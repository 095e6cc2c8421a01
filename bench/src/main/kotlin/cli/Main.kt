package threadgauge.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.context
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.options.versionOption
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import kotlin.system.exitProcess
import threadgauge.cli.command.AdviseCommand
import threadgauge.cli.command.AgentCommand
import threadgauge.cli.command.CompareCommand
import threadgauge.cli.command.DoctorCommand
import threadgauge.cli.command.HistoryCommand
import threadgauge.cli.command.ImportCommand
import threadgauge.cli.command.InitCommand
import threadgauge.cli.command.KneeCommand
import threadgauge.cli.command.ListCommand
import threadgauge.cli.command.MapCommand
import threadgauge.cli.command.MergeCommand
import threadgauge.cli.command.ReportCommand
import threadgauge.cli.command.RunCommand
import threadgauge.cli.command.ServeCommand
import threadgauge.cli.command.TicketsCommand
import threadgauge.cli.command.TryCommand
import threadgauge.cli.command.kubernetesCommand
import threadgauge.model.VERSION
import threadgauge.model.failure.Failed

/** The command line. Without a command it runs the tour. */
internal class Threadgauge : CliktCommand(name = "threadgauge") {
    init {
        versionOption(VERSION)
        context {
            helpFormatter = ::Help
            localization = Wording
            suggestTypoCorrection = ::suggestions
            terminal = readable(Terminal())
        }
    }

    override fun help(context: Context) = """
        Finds out which concurrency model fits: threads, virtual threads, event loops or coroutines. It starts real
        servers that do equal work, loads them, and gives a verdict with its interval, reason and doubts.

        Without a command it takes the tour: four servers in three situations, about ten minutes.
    """.trimIndent()

    override fun helpEpilog(context: Context) =
        """
        Examples:
          threadgauge                         the tour
          threadgauge run tour --quick        the tour in three minutes, no intervals
          threadgauge run my.yaml --only spring-mvc,ktor-netty
          threadgauge try shop.jar            your own service
          threadgauge advise shop.jar         what would make it faster, and by how much
          threadgauge init shop.jar           a first experiment file for it
          threadgauge knee shop.jar           the highest rate it can take
          threadgauge map                     which stack fits which work, in one picture
          threadgauge compare main branch     is the new record worse than the old one?
          threadgauge history checkout        how did its figures go over all runs?
          threadgauge serve                   all runs in a browser, also one under way
          threadgauge list stacks             what can be measured
          threadgauge report results/tour-…   rebuild a report from its record
          threadgauge doctor                  is this machine fit to measure?
          threadgauge tickets                 a ticket sale that never oversells, to try by hand
        """.trimIndent() + "\n\n" + exitCodes(*ExitCode.entries.map { it to it.meaning }.toTypedArray())

    override fun run() = Unit
}

/** Root of the installation, with `servers/` and `experiments/`. Set by the launcher. */
internal val home: Path get() = Path.of(System.getProperty("threadgauge.home") ?: "").toAbsolutePath().normalize()

/** The program with all its commands. */
internal fun threadgaugeCommand(): CliktCommand = Threadgauge().subcommands(
    RunCommand(), TryCommand(), AdviseCommand(), KneeCommand(), MapCommand(), CompareCommand(), HistoryCommand(),
    ServeCommand(), InitCommand(), ImportCommand(), ListCommand(), ReportCommand(), AgentCommand(), MergeCommand(),
    DoctorCommand(), TicketsCommand(), kubernetesCommand(),
)

fun main(arguments: Array<String>) {
    val command = threadgaugeCommand()
    try {
        try {
            command.parseOrSuggest(arguments.ifEmpty { arrayOf("run") })
        } catch (failed: Failed) {
            throw stop(failed)
        }
    } catch (error: CliktError) {
        command.echoFormattedHelp(error)
        exitProcess(if (error is UsageError) ExitCode.USAGE.number else error.statusCode)
    } catch (bug: Throwable) {
        System.err.println(
            "This is a bug in Threadgauge. Please report it with the lines below and the folder of the run.",
        )
        bug.printStackTrace()
        exitProcess(ExitCode.OUR_BUG.number)
    }
    exitProcess(ExitCode.DONE.number)
}

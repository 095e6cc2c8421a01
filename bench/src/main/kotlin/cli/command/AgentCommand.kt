package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.optional
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.net.BindException
import java.net.InetSocketAddress
import java.nio.file.Path
import java.time.Instant
import java.time.format.DateTimeParseException
import java.util.Locale
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.MAY_LOAD_HELP
import threadgauge.cli.command.option.ended
import threadgauge.cli.exitCodes
import threadgauge.cli.onInterrupt
import threadgauge.cli.stop
import threadgauge.experiment.target.refuseOtherHosts
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.agent.AgentListener
import threadgauge.run.agent.BadToken
import threadgauge.run.agent.ListenerEvent
import threadgauge.run.agent.SentAway
import threadgauge.run.agent.SliceRun
import threadgauge.run.agent.Stay

/** `threadgauge agent`: this machine's share of a load that other machines measure. */
internal class AgentCommand : CliktCommand(name = "agent") {
    private val orderFile by argument(
        "order", help = "Work order, a JSON file; see docs/guides/several-machines.md",
    ).path().optional()
    private val listen by option(
        "--listen", metavar = "[address:]port", help = "Send the loads of runs on other machines, until Ctrl-C",
    )
        .convert { text -> addressOf(text) ?: fail("write a port, or an address and a port, such as 192.0.2.7:7400") }
    private val tokenFile by option(
        "--token", metavar = "file", help = "File with the token for --listen; made where there is none",
    ).path()
    private val isOnce by option(
        "--once", help = "With --listen: end when the first run is gone, or if none comes for ten minutes",
    ).flag()
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
        Send the load of runs on other machines, or one slice of a load without a coordinator.

        With --listen this machine waits for runs elsewhere that name it with --agents, and sends their loads. They must
        have the same token.

        With an order it puts one slice of a load on a target. Give each machine the same order, another slice, and the
        same start. Then bring the files together and merge them.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge agent --listen 7400 --token agents.token --i-may-load shop.example.org
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
        val file = orderFile
        val address = listen
        if ((file == null) == (address == null)) throw UsageError("give either an order, or --listen")
        if (isOnce && address == null) throw UsageError("--once is for --listen")
        if (address != null) listen(address) else runSlice(checkNotNull(file))
    }

    private fun listen(address: InetSocketAddress) {
        if (slice != null || startAt != null) throw UsageError("--slice and --start-at are for an order")
        val file = tokenFile ?: throw UsageError("--listen needs --token with a file; it is made where there is none")
        val cancellation = Cancellation()
        val stay = if (isOnce) Stay.FOR_ONE else Stay.FOR_ALL
        val listener = AgentListener(address, file, mayLoad.toSet(), out, cancellation, tell = ::tell, stay = stay)
        try {
            val somebodyCame = onInterrupt(cancellation, "stopping the load agent") { listener.serve() }
            if (!somebodyCame) throw ProgramResult(ExitCode.UNAVAILABLE.number)
        } catch (_: Cancelled) {
            throw ProgramResult(ExitCode.INTERRUPTED.number)
        } catch (wrong: BadToken) {
            throw stop(wrong)
        } catch (taken: BindException) {
            throw stop(ExitCode.UNAVAILABLE, "Cannot listen on port ${address.port}: ${taken.message}")
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "Cannot write to $out: ${denied.message}")
        }
    }

    private fun tell(event: ListenerEvent) = System.err.println(when (event) {
        is ListenerEvent.TokenMade ->
            "A new token: ${event.file}. Copy it to where the runs start, and to their other agents."
        is ListenerEvent.Listening -> "Listening on port ${event.port}. Ctrl-C ends it."
        is ListenerEvent.Working -> "${event.from} has come: starting an agent for it."
        is ListenerEvent.Ended -> "${event.from} has gone, and its agent was stopped."
        is ListenerEvent.Denied -> "${event.from} was sent away: " + when (event.why) {
            SentAway.TOKEN -> "it has another token."
            SentAway.VERSION -> "it is of another version of Threadgauge."
            SentAway.BUSY -> "this agent works for another coordinator."
        }
        is ListenerEvent.Alone -> "No run has come for ${event.minutes} minutes, so the agent ends."
        is ListenerEvent.Broken -> "The connection of ${event.from} broke: ${event.cause.message}"
    })

    private fun runSlice(orderFile: Path) {
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

/** `7400`, `192.0.2.7:7400` or `[::1]:7400`; null for anything else. */
private fun addressOf(text: String): InetSocketAddress? {
    val port = text.substringAfterLast(':').toIntOrNull()?.takeIf { it in 0..MAX_PORT } ?: return null
    val host = text.substringBeforeLast(':', "").trim('[', ']')
    return (if (host.isEmpty()) InetSocketAddress(port) else InetSocketAddress(host, port)).takeIf { !it.isUnresolved }
}

private const val MAX_PORT = 65_535

private fun sliceOf(text: String): Pair<Int, Int>? {
    val numbers = text.split('/').map { it.trim().toIntOrNull() ?: return null }
    return if (numbers.size == 2 && numbers[0] in 0..<numbers[1]) numbers[0] to numbers[1] else null
}

private fun instantOf(text: String): Instant? = try {
    Instant.parse(text)
} catch (_: DateTimeParseException) {
    null
}

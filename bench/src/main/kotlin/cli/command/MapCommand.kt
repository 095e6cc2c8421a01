package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.ended
import threadgauge.cli.command.publish.Place
import threadgauge.cli.command.publish.PlaceOrder
import threadgauge.cli.command.publish.newFolder
import threadgauge.cli.command.publish.resumeAndPublish
import threadgauge.cli.command.publish.runAndPublish
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.plan.command.MapOrder
import threadgauge.plan.command.readMap
import threadgauge.plan.command.readMapBudget
import threadgauge.store.RecordFolder

/** `threadgauge map`: which stack fits which work, and up to how many users? */
internal class MapCommand : CliktCommand(name = "map") {
    private val stacks by argument(
        "stack", help = "Stacks to compare (default: the four of the tour)",
    ).multiple()
    private val sheet by option(
        "--sheet", metavar = "wait|block|compute|share|fan-out",
        help = "What requests do: wait, block a thread, compute, block it for a share of them, or make several calls " +
            "at a time (default: wait)",
    )
    private val budget by option("--budget", metavar = "time", help = "Time for the map (default: 30m)")
    private val users by option(
        "--users", metavar = "from..to",
        help = "Users at a time (default: 10..2000, 10..500 that block, 5..200 that make calls); with --place the " +
            "users of a closed load",
    )
    private val work by option(
        "--work", metavar = "from..to",
        help = "Milliseconds that a request waits (default: 1..250) or blocks (default: 1..50), characters that it " +
            "computes (default: 100..100000), percent of requests that block (default: 1..100), or calls that one " +
            "makes (default: 1..50)",
    )
    private val seed by option("--seed", metavar = "n", help = "Seed of the order (default: drawn)")
    private val resume by option(
        "--resume", metavar = "record",
        help = "Folder of a map: search on, with fresh processes, for --budget or the time that was left",
    ).path()
    private val place by option(
        "--place", metavar = "target",
        help = "Say where a service of your own lies on a map: a URL, a jar, a command in quotes, the name of a " +
            "stack, or the folder of a record of try or advise",
    )
    private val paths by option("--path", help = "With --place: path and query to GET (default: /); may be given again")
        .multiple()
    private val on by option("--on", metavar = "record", help = "With --place: folder of the map (default: the newest)")
        .path()
    private val out by option("--out", help = "Folder for records (default: results)").path(canBeFile = false)
    private val json by option(
        "--json", help = "Print one JSON document instead of tables; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Draw the map: which stacks fit which work, and up to how many users.

        One axis is what a request does, the other how many users ask at a time. The search measures where borders are,
        and leaves plain regions coarse. A stack fits where it answers at least 85 % of what the fastest one does.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge map
          threadgauge map spring-mvc spring-mvc-virtual --budget 10m
          threadgauge map --sheet block --users 10..1000
          threadgauge map --resume results/map-wait-20261127-140000 --budget 20m
          threadgauge map --place shop.jar --path /orders
          threadgauge map --place results/advise-shop-20261127-150000
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "the map was drawn, every border as far as the grid goes; or the service was placed",
        ExitCode.CANNOT_TELL to "time was up before every border was found, so the map is as good as that time " +
            "allows; or nothing is known of what the service waits for",
        ExitCode.USAGE to "the command line is invalid; nothing was started",
        ExitCode.BAD_FILE to "a stacks.yaml is invalid; nothing was started",
        ExitCode.UNAVAILABLE to "a stack or the load agent is missing or has stopped",
        ExitCode.NOT_WRITABLE to "results could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C; record and report are kept",
    )

    override fun run() {
        val code = place?.let(::place) ?: resume?.let(::refine) ?: draw()
        if (code != ExitCode.DONE) throw ProgramResult(code.number)
    }

    private fun place(target: String): ExitCode {
        if (stacks.isNotEmpty() || listOf(sheet, budget, work, seed, resume).any { it != null }) {
            throw UsageError("--place asks a map that exists: only --path, --users, --on, --out and --json go with it")
        }
        val order = PlaceOrder(target, paths, users, on, out ?: Path.of("results"))
        return orEnded { Place(order, terminal, json).run() }
    }

    private fun draw(): ExitCode {
        if (paths.isNotEmpty() || on != null) throw UsageError("--path and --on are about a service: add --place")
        val plan = orEnded { readMap(MapOrder(stacks, sheet, budget, users, work, seed), StackCatalogue.read(home)) }
        return runAndPublish(plan, newFolder(plan, out ?: Path.of("results")), terminal, json)
    }

    private fun refine(record: Path): ExitCode {
        if (stacks.isNotEmpty() || listOf(sheet, users, work, seed, out).any { it != null }) {
            throw UsageError("--resume refines a map as it was drawn: only --budget and --json may be combined with it")
        }
        val more = orEnded { budget?.let(::readMapBudget) }
        val folder = RecordFolder.of(record)
        if (folder.read().plan.map == null) {
            throw UsageError("$record is no map; to resume another run: threadgauge run --resume $record")
        }
        return resumeAndPublish(folder, terminal, json, moreNanos = more)
    }

    private fun <T> orEnded(read: () -> T): T = try {
        read()
    } catch (wrong: ExperimentMistakes) {
        throw ended(wrong)
    }
}

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
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.long
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.mordant.rendering.TextStyles.dim
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.cli.REPEATS_ARE_TRIALS
import threadgauge.cli.command.option.MARGIN_HELP
import threadgauge.cli.command.option.RemoteAgentOptions
import threadgauge.cli.command.option.TargetOptions
import threadgauge.cli.command.option.TelemetryOptions
import threadgauge.cli.command.option.ended
import threadgauge.cli.command.publish.BUDGET_HELP
import threadgauge.cli.command.publish.GOALS_HELP
import threadgauge.cli.command.publish.NO_CAUSES_HELP
import threadgauge.cli.command.publish.SAVE_AS_HELP
import threadgauge.cli.command.publish.SummaryOptions
import threadgauge.cli.command.publish.TARGET_HELP
import threadgauge.cli.command.publish.WITHIN_HELP
import threadgauge.cli.command.publish.newFolder
import threadgauge.cli.command.publish.runAndPublish
import threadgauge.cli.command.publish.savedName
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.plan.command.TryPlan
import threadgauge.plan.command.readTry
import threadgauge.plan.withAgents

/** `threadgauge try`: measures a service of the user's own, alone or against others. */
internal class TryCommand : CliktCommand(name = "try") {
    private val target by argument("target", help = TARGET_HELP)
    private val paths by option(
        "--path", help = "Path and query to GET, with placeholders such as {1..100} (default: /); may be given again",
    ).multiple()
    private val users by option(
        "--users", metavar = "N", help = "Closed load of N users, who each wait for the answer (default: 50)",
    )
    private val think by option(
        "--think", metavar = "time", help = "Pause of each user before the next request, such as 1s or 1s..3s",
    )
    private val rate by option("--rate", metavar = "N/s", help = "Open load of N requests per second")
    private val poisson by option(
        "--poisson", metavar = "N/s", help = "Open load of N requests per second, at independent moments",
    )
    private val ramp by option("--ramp", metavar = "A/s..B/s", help = "Open load whose rate changes evenly from A to B")
    private val steps by option(
        "--steps", metavar = "steps", help = "Open load in steps, such as \"100/s for 5s, 400/s for 5s\"",
    )
    private val burst by option("--burst", metavar = "N", help = "N requests at the same instant")
    private val length by option("--for", metavar = "time", help = "Length of one measurement (default: 10s)")
    private val trials by option("--trials", help = "Fresh processes per target (default: 5)").int()
    private val repeats by option("--repeats", hidden = true).int().deprecated(REPEATS_ARE_TRIALS)
    private val quick by option("--quick", help = "One trial: figures without intervals, no winner").flag()
    private val margin by option("--margin", metavar = "N%", help = MARGIN_HELP)
    private val within by option("--within", metavar = "N%", help = WITHIN_HELP)
    private val budget by option("--budget", metavar = "time", help = BUDGET_HELP)
    private val goals by option("--goals", metavar = "goals", help = GOALS_HELP)
    private val seed by option("--seed", help = "Seed of the order of measurement (default: 1)").long().default(1)
    private val of by TargetOptions()
    private val agents by RemoteAgentOptions()
    private val out by option("--out", help = "Folder for records (default: results)").path(canBeFile = false)
        .default(Path.of("results"))
    private val saveAs by option("--save-as", metavar = "name", help = SAVE_AS_HELP).savedName()
    private val noCauses by option("--no-causes", help = NO_CAUSES_HELP).flag()
    private val summaries by SummaryOptions()
    private val telemetry by TelemetryOptions()
    private val json by option(
        "--json", help = "Print one JSON document instead of tables; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Try a service of your own, alone or against another: start it, load it, judge, report.

        A target is a URL, a jar, a command in quotes or the name of a stack. A service that is started gets a free port
        as {port}, SERVER_PORT and PORT; which one it serves is then found out.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge try shop.jar --path /orders --users 100 --for 10s
          threadgauge try "java -jar shop.jar" \
            --against "java -Dspring.threads.virtual.enabled=true -jar shop.jar"
          threadgauge try "python3 -m http.server {port}" --rate 200/s
          threadgauge try http://localhost:8080/orders --quick
          threadgauge try shop.jar --path /orders --path /products --users 50 --think 1s..3s
          threadgauge try shop.jar --against spring-mvc-virtual --path /hello
          threadgauge try shop.jar --request order.yaml --burst 500
          threadgauge try shop.jar --rate 200/s --goals "p99<300ms, errors<0.1%"
          threadgauge try shop.jar --otlp http://localhost:4318 --prometheus 9464
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done",
        ExitCode.FAILED to "a goal was broken",
        ExitCode.CANNOT_TELL to "something could not be measured, or whether a goal was kept cannot be told",
        ExitCode.BAD_FILE to "the file of --request is invalid",
        ExitCode.UNAVAILABLE to "the load agent has stopped",
        ExitCode.NOT_WRITABLE to "results could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C; the record so far is kept",
    )

    override fun run() {
        telemetry.verify()
        val read = read()
        for (words in read.assumed) if (json) System.err.println(words) else terminal.println(dim(words))
        summaries.refuseUnwritable()
        val code = read.plan.withoutCauses(noCauses).copy(savedAs = saveAs).let {
            runAndPublish(it, newFolder(it, out), terminal, json, summaries.open, telemetry.order)
        }
        if (code != ExitCode.DONE) throw ProgramResult(code.number)
    }

    private fun read(): TryPlan {
        val order = of.order(target, paths.firstOrNull()).copy(
            morePaths = paths.drop(1), think = think, poisson = poisson, steps = steps,
            users = users, rate = rate, ramp = ramp, burst = burst, length = length,
            margin = margin, within = within, budget = budget, trials = trials ?: repeats, quick = quick, seed = seed,
            goals = goals,
        )
        return try {
            val read = readTry(order, StackCatalogue.read(home))
            TryPlan(read.plan.withAgents(agents.read(), "--agents"), read.assumed)
        } catch (wrong: ExperimentMistakes) {
            throw ended(wrong)
        }
    }
}

package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.long
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.mordant.rendering.TextStyles.dim
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.TargetOptions
import threadgauge.cli.command.option.TelemetryOptions
import threadgauge.cli.command.option.ended
import threadgauge.cli.command.publish.BUDGET_HELP
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
import threadgauge.judge.judge
import threadgauge.model.judgement.Judgement
import threadgauge.model.plan.Plan
import threadgauge.plan.command.AdviseOrder
import threadgauge.plan.command.NoProof
import threadgauge.plan.command.planProof
import threadgauge.plan.command.readAdvise
import threadgauge.plan.command.unprovable

/** `threadgauge advise`: what holds a service, what would change it and by how much, and the proof of that. */
internal class AdviseCommand : CliktCommand(name = "advise") {
    private val target by argument("target", help = TARGET_HELP)
    private val paths by option(
        "--path", help = "Path and query to GET, with placeholders such as {1..100} (default: /); may be given again",
    ).multiple()
    private val users by option(
        "--users", metavar = "N", help = "Closed load of N users (default: 50, 200 and 800, of which the best counts)",
    )
    private val think by option("--think", metavar = "time", help = "Pause of each user before the next request")
    private val rate by option("--rate", metavar = "N/s", help = "Open load of N requests per second")
    private val poisson by option(
        "--poisson", metavar = "N/s", help = "Open load of N requests per second, at independent moments",
    )
    private val length by option("--for", metavar = "time", help = "Length of one load (default: 4s; with --prove 6s)")
    private val changes by option(
        "--changes", metavar = "file", help = "More changes, or other ones of the same id, than those that are shipped",
    ).path()
    private val prove by option("--prove", help = "Carry out each change that is a setting, and measure it").flag()
    private val trials by option("--trials", help = "With --prove: fresh processes of each (default: 3)").int()
    private val within by option("--within", metavar = "N%", help = "With --prove: $WITHIN_HELP")
    private val budget by option("--budget", metavar = "time", help = "With --prove: $BUDGET_HELP")
    private val seed by option("--seed", help = "Seed of the order of measurement (default: 1)").long().default(1)
    private val of by TargetOptions()
    private val out by option("--out", help = "Folder for records (default: results)").path(canBeFile = false)
        .default(Path.of("results"))
    private val saveAs by option("--save-as", metavar = "name", help = SAVE_AS_HELP).savedName()
    private val summaries by SummaryOptions()
    private val telemetry by TelemetryOptions()
    private val json by option(
        "--json", help = "Print one JSON document instead of tables; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Advise on a service of your own: start it, load it, say what holds it, which changes would make it faster, and
        by how much. With --prove, try each change that is a setting, and print predicted beside measured.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge advise shop.jar --path /orders
          threadgauge advise shop.jar --path /orders --users 200 --prove
          threadgauge advise shop.jar --path /orders --prove --budget 10m
          threadgauge advise http://localhost:8080/orders
          threadgauge advise shop.jar --changes ours.yaml
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done, whatever the advice is",
        ExitCode.CANNOT_TELL to "there is no advice, or a change could not be measured",
        ExitCode.BAD_FILE to "the file of --request or --changes is invalid",
        ExitCode.UNAVAILABLE to "the load agent has stopped",
        ExitCode.NOT_WRITABLE to "results could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C; the record so far is kept",
    )

    override fun run() {
        telemetry.verify()
        val order = order()
        val read = try {
            readAdvise(order, StackCatalogue.read(home))
        } catch (wrong: ExperimentMistakes) {
            throw ended(wrong)
        }
        read.assumed.forEach(::say)
        summaries.refuseUnwritable()
        val isTwice = prove && unprovable(read.plan) == null
        val (judgement, code) = publishedRun(read.plan, isPrinted = !(isTwice && json))
        if (code == ExitCode.INTERRUPTED) throw ProgramResult(code.number)
        val proven = if (prove) prove(read.plan, judgement, order, isTwice) else null
        val result = proven ?: if (judgement.advice.isEmpty()) ExitCode.CANNOT_TELL else ExitCode.DONE
        if (result != ExitCode.DONE) throw ProgramResult(result.number)
    }

    /** Null where nothing can be proven, which is said. */
    private fun prove(plan: Plan, judgement: Judgement, order: AdviseOrder, isTwice: Boolean): ExitCode? {
        val why = unprovable(plan)
        val proof = if (why == null) planProof(plan, judgement.advice, order) else null
        if (proof == null) {
            say(words(why ?: NoProof.NO_SETTING))
            return null
        }
        check(isTwice) { "a proof was planned for what cannot be started anew" }
        val leftOut = proof.leftOut.joinToString()
        if (leftOut.isNotEmpty()) say("Left out, because five changes are enough for one proof: $leftOut.")
        val (proven, code) = publishedRun(proof.plan, isPrinted = true)
        val isWhole = proven.proofs.isNotEmpty() && proven.proofs.all { it.isWithin != null }
        return if (code == ExitCode.INTERRUPTED) code else if (isWhole) ExitCode.DONE else ExitCode.CANNOT_TELL
    }

    private fun publishedRun(plan: Plan, isPrinted: Boolean): Pair<Judgement, ExitCode> {
        val named = plan.copy(savedAs = saveAs)
        val folder = newFolder(named, out)
        val code = runAndPublish(named, folder, terminal, json, summaries.open, telemetry.order, isPrinted)
        return judge(folder.read()) to code
    }

    private fun order() = AdviseOrder(
        what = of.order(target, paths.firstOrNull()).copy(
            morePaths = paths.drop(1), think = think, poisson = poisson, users = users, rate = rate, length = length,
            within = within, budget = budget, trials = trials, seed = seed,
        ),
        changes = changes,
        prove = prove,
    )

    private fun say(words: String) = if (json) System.err.println(words) else terminal.println(dim(words))

    private fun words(why: NoProof) = "Nothing can be proven: " + when (why) {
        NoProof.RUNS_ALREADY -> "the service at this URL runs already, and only one that is started here can be " +
            "started with other settings. Give its jar or its command."
        NoProof.IN_CONTAINER -> "what the image starts is not known, so neither is where settings would go. Give its " +
            "jar or its command, or compare two containers with different env by run."
        NoProof.IS_SHIPPED -> "a stack that comes with Threadgauge has the settings of its description. " +
            "Compare it with its options, such as spring-mvc+tuned, by try."
        NoProof.NO_SETTING -> "no change that exists for this service is a setting whose effect is predicted."
    }
}

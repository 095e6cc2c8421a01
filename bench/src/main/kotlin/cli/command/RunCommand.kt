package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.deprecated
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.split
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.long
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import threadgauge.cli.ExitCode
import threadgauge.cli.REPEATS_ARE_TRIALS
import threadgauge.cli.command.option.MAY_LOAD_HELP
import threadgauge.cli.command.option.RemoteAgentOptions
import threadgauge.cli.command.option.TelemetryOptions
import threadgauge.cli.command.publish.BUDGET_HELP
import threadgauge.cli.command.publish.GOALS_HELP
import threadgauge.cli.command.publish.NO_CAUSES_HELP
import threadgauge.cli.command.publish.SAVE_AS_HELP
import threadgauge.cli.command.publish.SummaryOptions
import threadgauge.cli.command.publish.WITHIN_HELP
import threadgauge.cli.command.publish.newFolder
import threadgauge.cli.command.publish.publishOverview
import threadgauge.cli.command.publish.resumeAndPublish
import threadgauge.cli.command.publish.runAndPublish
import threadgauge.cli.command.publish.savedName
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.cli.stop
import threadgauge.experiment.load.readSlo
import threadgauge.experiment.readExperimentFile
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.target.refuseOtherHosts
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.render
import threadgauge.experiment.yaml.wholeFile
import threadgauge.model.Record
import threadgauge.model.plan.Goal
import threadgauge.model.plan.Plan
import threadgauge.model.request.ServiceUrl
import threadgauge.plan.planRun
import threadgauge.plan.readGoal
import threadgauge.plan.withAgents
import threadgauge.store.RecordFolder

/** `threadgauge run`: runs experiment files and writes records and reports. */
internal class RunCommand : CliktCommand(name = "run") {
    private val files by argument(
        "file", help = "Experiment file, or the name of one in experiments/ (default: the tour)",
    ).multiple()
    private val only by option("--only", metavar = "stack,…", help = "Measure only these stacks of the experiment")
        .split(",").default(emptyList())
    private val quick by option("--quick", help = QUICK_HELP).flag()
    private val trials by option("--trials", help = "Fresh processes per stack (default: as the file says)").int()
    private val repeats by option("--repeats", hidden = true).int().deprecated(REPEATS_ARE_TRIALS)
    private val within by option("--within", metavar = "N%", help = WITHIN_HELP)
    private val budget by option("--budget", metavar = "time", help = BUDGET_HELP)
    private val goals by option("--goals", metavar = "goals", help = "$GOALS_HELP; in place of those of the file")
    private val seed by option("--seed", help = "Seed of the order of measurement (default: 1); the record keeps it")
        .long()
    private val out by option("--out", help = "Folder for records (default: results)").path(canBeFile = false)
    private val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()
    private val resume by option(
        "--resume", metavar = "record", help = "Folder of a run that ended early: resume it as planned",
    ).path()
    private val agents by RemoteAgentOptions()
    private val saveAs by option("--save-as", metavar = "name", help = SAVE_AS_HELP).savedName()
    private val noCauses by option("--no-causes", help = NO_CAUSES_HELP).flag()
    private val summaries by SummaryOptions()
    private val telemetry by TelemetryOptions()
    private val json by option(
        "--json", help = "Print one JSON document instead of tables; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = "Run experiments: start servers, load them, judge, report."

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge run tour --quick --json > tour.json
          threadgauge run my-experiment.yaml --trials 5 --seed 7
          threadgauge run checkout.yaml --goals "p99<300ms" --junit build/checkout.xml --markdown summary.md
          threadgauge run --resume results/tour-20261121-120000
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done",
        ExitCode.FAILED to "a claim was refuted, or a goal was broken",
        ExitCode.CANNOT_TELL to "something could not be measured, or a claim or a goal cannot be told here",
        ExitCode.BAD_FILE to "an experiment file, a stacks.yaml or the record to resume is wrong; nothing was started",
        ExitCode.UNAVAILABLE to "something the run needs is missing or stopped: a build, a service, the load agent",
        ExitCode.NOT_WRITABLE to "results could not be written",
        ExitCode.INTERRUPTED to ExitCode.INTERRUPTED.meaning,
    )

    override fun run() {
        telemetry.verify()
        resume?.let { return resumeAndPublish(it) }
        val results = out ?: Path.of("results")
        val plans = plans()
        summaries.refuseUnwritable()
        val folders = ArrayList<RecordFolder>()
        val codes = ArrayList<ExitCode>()
        try {
            for (plan in plans) {
                val folder = newFolder(plan, results).also { folders += it }
                codes += runAndPublish(plan, folder, terminal, json, summaries.open, telemetry.order)
                if (codes.last() == ExitCode.INTERRUPTED) break
            }
        } finally {
            publishOverview(folders)?.let { terminal.println("Page over all runs: $it", stderr = json) }
        }
        val worst =
            listOf(ExitCode.INTERRUPTED, ExitCode.FAILED, ExitCode.CANNOT_TELL).firstOrNull { it in codes } ?: return
        throw ProgramResult(worst.number)
    }

    private fun resumeAndPublish(record: Path) {
        val given = listOf(trials, repeats, seed, out, within, budget, goals, saveAs).any { it != null }
        if (given || files.isNotEmpty() || only.isNotEmpty() || quick || noCauses) {
            throw UsageError(
                "--resume continues a run as planned: only --json, --junit, --markdown, --otlp, --prometheus and " +
                    "--i-may-load may be combined with it",
            )
        }
        refuseOtherHosts(RecordFolder.of(record).read())
        summaries.refuseUnwritable()
        val code = resumeAndPublish(RecordFolder.of(record), terminal, json, summaries.open, telemetry.order)
        if (code != ExitCode.DONE) throw ProgramResult(code.number)
    }

    /** A record may come from somebody else. */
    private fun refuseOtherHosts(record: Record) = try {
        val hosts = record.plan.stacks.mapNotNull { stack -> stack.url?.let { ServiceUrl.of(it) }?.host }
        refuseOtherHosts("--resume", hosts, mayLoad)
    } catch (wrong: ExperimentMistakes) {
        throw stop(ExitCode.USAGE, wrong.message.orEmpty())
    }

    /** Reads all files before anything is started, and reports the mistakes of all of them together. */
    private fun plans(): List<Plan> {
        val mistakes = ArrayList<ExperimentMistakes>()
        val plans = try {
            val catalogue = StackCatalogue.read(home)
            val slo = try {
                goals?.let { readSlo(it, "--goals") }
            } catch (wrong: ExperimentMistakes) {
                mistakes += wrong
                null
            }
            files.ifEmpty { listOf("tour") }.mapNotNull { name ->
                try {
                    val read = readExperimentFile(resolve(name), catalogue, mayLoad.toSet(), ::showHint)
                    val chosen = only.map { catalogue[it]?.name ?: it.trim() }
                    val given = agents.read()
                    planRun(
                        read.experiment, read.stacks, seed ?: 1, quick, trials ?: repeats, chosen,
                        catalogue.services + read.services, goal(),
                    ).withGoals(slo).withoutCauses(noCauses).let { if (quick) it.asFirstLook() else it }
                        .copy(savedAs = saveAs)
                        .withAgents(given ?: read.agents, if (given == null) name else "--agents")
                } catch (wrong: ExperimentMistakes) {
                    mistakes += wrong
                    null
                }
            }
        } catch (wrong: ExperimentMistakes) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        }
        if (mistakes.isEmpty()) return plans
        val isOfOptions = mistakes.all { wrong -> wrong.mistakes.all { it.file.startsWith("--") } }
        val code = if (isOfOptions) ExitCode.USAGE else ExitCode.BAD_FILE
        throw stop(code, mistakes.joinToString("\n") { it.message.orEmpty() })
    }

    private fun goal(): Goal? {
        val fixed = listOfNotNull("--trials".takeIf { trials != null || repeats != null }, "--quick".takeIf { quick })
        return readGoal(within, budget, fixed)
    }

    private fun showHint(hint: ExperimentMistake) = terminal.println("Hint: ${hint.render()}".trimEnd(), stderr = true)

    private fun resolve(name: String): Path {
        val shipped = home.resolve("experiments").resolve("$name.yaml")
        val isName = '.' !in name && '/' !in name.removePrefix("claims/")
        if (!isName || !Files.isRegularFile(shipped)) return Path.of(name).also { if (isName) refuseMissing(it) }
        return Path.of("").toAbsolutePath().relativizeOrSelf(shipped)
    }
}

private const val QUICK_HELP =
    "A first look: one trial of each stack, half of the warm-up; no intervals, no winner, no causes"

/** A name that is neither a file nor an experiment was most likely meant to be one of the experiments. */
private fun refuseMissing(file: Path) {
    if (Files.exists(file)) return
    val folder = home.resolve("experiments")
    val names = listOf(folder, folder.resolve("claims")).filter { Files.isDirectory(it) }
        .flatMap { it.listDirectoryEntries("*.yaml") }
        .map { folder.relativize(it).toString().removeSuffix(".yaml") }.sorted()
    throw wholeFile(file, "there is neither an experiment nor a file of this name", nearestRemedy("$file", names))
}

private fun Path.relativizeOrSelf(other: Path) = if (other.startsWith(this)) relativize(other) else other

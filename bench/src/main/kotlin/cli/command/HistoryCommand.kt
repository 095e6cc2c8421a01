package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.optional
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.split
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.MARGIN_HELP
import threadgauge.cli.command.option.percentage
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.judge.history.historyOf
import threadgauge.model.RunSummary
import threadgauge.model.judgement.Compared
import threadgauge.report.history.historyHtml
import threadgauge.report.history.historyJson
import threadgauge.report.history.historyReport
import threadgauge.serve.FoundRun
import threadgauge.serve.runsIn

/** `threadgauge history`: how the figures of an experiment went over its runs. Nothing is started. */
internal class HistoryCommand : CliktCommand(name = "history") {
    private val experiment by argument(
        "experiment", help = "Name of an experiment, or its file; may be left out where all runs are of one",
    ).optional()
    private val place by option("--in", metavar = "folder", help = "Folder with the records (default: results)")
        .path().default(Path.of("results"))
    private val figures by option(
        "--figures", metavar = "figure,…",
        help = "throughput, p50, p99, cpu, memory, allocated (default: throughput, p99, cpu)",
    ).choice(Compared.entries.associateBy { it.name.lowercase() }).split(",")
    private val savedAs by option("--saved-as", metavar = "name", help = "Only runs that were saved as this")
    private val margin by option("--margin", metavar = "N%", help = MARGIN_HELP).percentage()
    private val json by option("--json", help = "Print one JSON document instead of tables").flag()

    override fun help(context: Context) = """
        Show how the figures of an experiment went over its runs, and where one changed. Nothing is started.

        A change is told from the noise between runs, and is larger than the margin. Of twenty histories in which
        nothing changes, at most one shows a change. It takes five runs or more.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge history checkout
          threadgauge history checkout --saved-as main --figures p99,cpu
          threadgauge history --in build/records --json
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done, whatever changed",
        ExitCode.BAD_FILE to "there are no records of the experiment",
        ExitCode.NOT_WRITABLE to "the page could not be written",
    )

    override fun run() {
        val all = runsIn(place) { terminal.println("Left out: ${it.message}", stderr = true) }
        val named = all.filter { savedAs == null || it.summary.savedAs == savedAs }
        val name = nameOf(named.map { it.summary })
        val runs = named.filter { it.summary.experiment == name }
        val history = historyOf(
            name, runs.map { it.summary }, figures?.toSet() ?: setOf(Compared.THROUGHPUT, Compared.P99, Compared.CPU),
            margin ?: MARGIN,
        )
        if (json) return print(historyJson(history))
        val page = place.resolve("history-$name.html")
        try {
            page.writeText(historyHtml(history, reports(runs)))
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "$page cannot be written: ${denied.message}")
        }
        terminal.println(historyReport(history, page.toString()))
    }

    private fun reports(runs: List<FoundRun>): Map<String, String> =
        runs.filter { it.folder.path.resolve("report.html").exists() }
            .associate { it.summary.id to "${it.folder.path.name}/report.html" }

    private fun nameOf(runs: List<RunSummary>): String {
        val known = runs.filterNot { it.isKnee }.groupingBy { it.experiment }.eachCount()
        val of = if (savedAs == null) "" else " that were saved as $savedAs"
        if (known.isEmpty()) {
            throw stop(
                ExitCode.BAD_FILE,
                "There are no records of runs in $place$of. Give their folder by --in, or run an experiment first.",
            )
        }
        val asked = experiment?.let { Path.of(it).name.removeSuffix(".yaml").removeSuffix(".yml") }
        return when {
            asked == null && known.size == 1 -> known.keys.single()
            asked == null -> throw stop(ExitCode.BAD_FILE, "There are runs of several experiments in $place$of: " +
                known.entries.sortedBy { it.key }.joinToString { "${it.key} (${it.value})" } + ". Name one of them.")
            asked in known -> asked
            else -> throw stop(
                ExitCode.BAD_FILE,
                "There is no run of \"$asked\" in $place$of. ${nearestRemedy(asked, known.keys.sorted())}",
            )
        }
    }

    private companion object {
        const val MARGIN = 0.03
    }
}

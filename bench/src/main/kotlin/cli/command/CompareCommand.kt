package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.split
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.percentage
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.judge.regression.compareRecords
import threadgauge.judge.regression.flameChanges
import threadgauge.model.Record
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.compare.GateResult
import threadgauge.report.regression.changeDocument
import threadgauge.report.regression.changeJUnit
import threadgauge.report.regression.changeJson
import threadgauge.report.regression.changeMarkdown
import threadgauge.report.regression.changeReport
import threadgauge.serve.savedRun
import threadgauge.store.RecordFolder
import threadgauge.store.storedFlames

/** `threadgauge compare`: is a new record worse than an old one? Nothing is started. */
internal class CompareCommand : CliktCommand(name = "compare") {
    private val base by argument(
        "base", help = "Record to compare with, or the name that it was saved as; separate several runs with commas",
    )
    private val new by argument("new", help = "Record to judge; separate several runs with commas")
    private val margin by option(
        "--margin", metavar = "3%", help = "Smallest difference that counts (default: that of the base)",
    ).percentage()
    private val place by option(
        "--in", metavar = "folder", help = "Folder in which names of saved runs are looked for (default: results)",
    ).path().default(Path.of("results"))
    private val gates by option(
        "--gate", metavar = "figure,…",
        help = "Figures that must not become worse: throughput, p50, p99, cpu, memory, allocated (default: cpu, and " +
            "throughput, or p99 where both sides serve the whole load)",
    ).choice(Compared.entries.associateBy { it.name.lowercase() }).split(",")
    private val markdown by option("--markdown", metavar = "FILE", help = "Write a summary for a pull request")
        .path(canBeDir = false)
    private val junit by option("--junit", metavar = "FILE", help = "Write JUnit XML for build servers")
        .path(canBeDir = false)
    private val html by option("--html", metavar = "FILE", help = "Write a page, with flame graphs of the difference")
        .path(canBeDir = false)
    private val json by option("--json", help = "Print one JSON document instead of tables").flag()

    override fun help(context: Context) = """
        Find out whether a new build is worse than the one before, from their records. Nothing is started.

        A figure is worse only where the interval of its ratio lies wholly beyond the margin. All gated figures share
        the confidence of 95 %. With three or more runs on each side the runs' own differences count, too; one run of
        each cannot tell a slower build from a slower hour, and the report says so.

        Where both sides were profiled, it also says which cause changed: what holds a stack, parts of its latency,
        methods, allocation and pools.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge compare main results/shop-20261126-120000
          threadgauge compare results/main-1,results/main-2,results/main-3 results/new-1,results/new-2,results/new-3 \
            --markdown summary.md --junit compare.xml
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "not worse, by more than the margin",
        ExitCode.FAILED to "worse",
        ExitCode.CANNOT_TELL to "cannot tell; the output says what would help",
        ExitCode.BAD_FILE to "a record is invalid",
        ExitCode.NOT_WRITABLE to "a file could not be written",
    )

    override fun run() {
        val judged = records(new)
        val usual = records(base, judged.first().first.plan.experiment.name)
        val lookup = storedFlames(usual + judged)
        val (old, other) = listOf(usual, judged).map { side -> side.map { it.first } }
        val comparison = compareRecords(old, other, margin, gates?.toSet(), lookup)
        html?.let { write(it, changeDocument(comparison, old[0], other[0], flameChanges(old, other, lookup))) }
        markdown?.let { write(it, changeMarkdown(comparison)) }
        junit?.let { write(it, changeJUnit(comparison)) }
        if (json) print(changeJson(comparison)) else terminal.println(changeReport(comparison))
        when (comparison.gate) {
            GateResult.PASSED -> Unit
            GateResult.FAILED -> throw ProgramResult(ExitCode.FAILED.number)
            GateResult.CANNOT_TELL -> throw ProgramResult(ExitCode.CANNOT_TELL.number)
        }
    }

    /** A name is that of the newest run of [experiment], where that is known. */
    private fun records(folders: String, experiment: String? = null): List<Pair<Record, RecordFolder>> =
        folders.split(",").map { it.trim() }.filter { it.isNotEmpty() }
            .map { name -> folder(name, experiment).let { it.read() to it } }
            .ifEmpty {
                throw stop(
                    ExitCode.USAGE, "\"$folders\" names no record. Give the folder of a run, such as results/tour-…",
                )
            }

    /** A folder comes first, because it is what this meant before runs had names. */
    private fun folder(written: String, experiment: String?): RecordFolder {
        val path = Path.of(written)
        if (Files.exists(path)) return RecordFolder.of(path)
        val of = experiment?.let { " of $it" }.orEmpty()
        return savedRun(written, place, experiment) ?: throw stop(
            ExitCode.BAD_FILE,
            "$written is no folder, and no complete run$of in $place was saved under this name (--save-as $written).",
        )
    }

    private fun write(file: Path, text: String) = try {
        file.writeText(text)
    } catch (denied: IOException) {
        throw stop(ExitCode.NOT_WRITABLE, "$file cannot be written: ${denied.message}")
    }
}

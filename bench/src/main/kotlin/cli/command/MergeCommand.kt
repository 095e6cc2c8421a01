package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.mordant.terminal.Terminal
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.report.terminal.loadReport
import threadgauge.report.terminal.loadReportJson
import threadgauge.run.agent.mergeSlices

/** `threadgauge merge`: merges the results of several agents. Nothing is started. */
internal class MergeCommand : CliktCommand(name = "merge") {
    private val slices by argument("slices", help = "Files of agents, or folders with them").path()
        .multiple(required = true)
    private val out by option("--out", help = "Folder for the result (default: that of the first slice)")
        .path(canBeFile = false)
    private val json by option("--json", help = "Print one JSON document instead of text").flag()

    override fun help(context: Context) = """
        Merge what several agents measured of one load. Nothing is started.

        Counts and histograms are added, which is exact: the result is what one agent would have measured.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge merge results/sale
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done",
        ExitCode.BAD_FILE to "a slice is missing, cut off, there twice, or of another load",
        ExitCode.NOT_WRITABLE to "the result could not be written",
    )

    override fun run() {
        val files =
            slices.flatMap { if (it.isDirectory()) it.listDirectoryEntries("slice-*.jsonl").sorted() else listOf(it) }
        val folder = out ?: files.firstOrNull()?.toAbsolutePath()?.parent ?: slices.first()
        try {
            publishSlices(files, folder, terminal, json)
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The result cannot be written to $folder: ${denied.message}")
        }
    }
}

/** Merges [files], writes `result.json` and `latency.hlog` into [folder], and shows the result. */
internal fun publishSlices(files: List<Path>, folder: Path, terminal: Terminal, json: Boolean) {
    folder.createDirectories()
    val log = folder.resolve("latency.hlog")
    val result = mergeSlices(files, log)
    val document = loadReportJson(result)
    folder.resolve("result.json").writeText(document)
    if (json) {
        print(document)
    } else {
        terminal.println(loadReport(result, listOf(folder.resolve("result.json"), log).map { it.toString() }))
    }
}

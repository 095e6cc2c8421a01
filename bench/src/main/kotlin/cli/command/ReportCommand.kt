package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.nameWithoutExtension
import threadgauge.cli.ExitCode
import threadgauge.cli.command.publish.publish
import threadgauge.cli.command.publish.publishMaps
import threadgauge.cli.command.publish.publishOverview
import threadgauge.cli.command.publish.publishSite
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.store.RecordFolder
import threadgauge.store.unpack
import threadgauge.wording.map.words

/** `threadgauge report`: judges records and rebuilds their reports. Nothing is started. */
internal class ReportCommand : CliktCommand(name = "report") {
    private val records by argument(
        "record",
        help = "Folder of a run, such as results/tour-20261121-120000, or a file with packed records; several get a " +
            "page over all runs, and one with maps side by side",
    ).path().multiple(required = true)
    private val packed by option(
        "--pack", metavar = "file", help = "Also pack the records into this file",
    ).path()
    private val out by option("--out", metavar = "folder", help = "Folder for unpacked records (default: results)")
        .path(canBeFile = false)
    private val site by option(
        "--site", metavar = "folder", help = "Make static pages of the records in this folder, ready for any host",
    ).path(canBeFile = false)
    private val json by option("--json", help = "Print one JSON document instead of tables").flag()

    override fun help(context: Context) = "Rebuild reports from records. Nothing is started."

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge report results/tour-20261121-120000
          threadgauge report results/main results/branch --pack both.zip
          threadgauge report results/map-wait-20261127-140000 results/map-wait-20261128-140000
          threadgauge report results/map-wait-20261127-140000 results/tour-20261127-120000 --site public
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "done, whatever the verdicts are",
        ExitCode.BAD_FILE to "a record is wrong",
        ExitCode.NOT_WRITABLE to "a report or a packed file could not be written",
    )

    override fun run() {
        val folders = records.flatMap { if (it.isPacked) unpacked(it) else listOf(RecordFolder.of(it)) }
        site?.let { return publish(folders, it) }
        folders.forEach { rebuild(it) }
        publishOverview(folders)?.let { say("Page over all runs: $it") }
        publishMaps(folders)?.let { maps ->
            maps.agreements.forEach { say("${it.other} beside ${it.base}: ${it.words()}") }
            say("Maps side by side: ${maps.path}")
        }
        packed?.let { pack(folders, it) }
    }

    private fun publish(folders: List<RecordFolder>, site: Path) {
        if (packed != null) throw UsageError("--site packs each record by itself: leave out --pack")
        val first = try {
            publishSite(folders, site)
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The site cannot be written to $site: ${denied.message}")
        }
        say("Site: $first")
    }

    private fun say(words: String) = terminal.println(words, stderr = json)

    private val Path.isPacked get() = extension == "zip"

    private fun unpacked(file: Path): List<RecordFolder> = try {
        unpack(file, (out ?: Path.of("results")).resolve(file.nameWithoutExtension))
    } catch (missing: NoSuchFileException) {
        throw stop(ExitCode.BAD_FILE, "There is no file ${missing.file}.")
    } catch (denied: IOException) {
        throw stop(ExitCode.NOT_WRITABLE, "The records of $file cannot be unpacked: ${denied.message}")
    }

    private fun pack(folders: List<RecordFolder>, file: Path) {
        try {
            threadgauge.store.pack(folders, file)
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The records cannot be packed into $file: ${denied.message}")
        }
        say("Packed: $file")
    }

    private fun rebuild(folder: RecordFolder) {
        try {
            publish(folder.read(), folder, terminal, json)
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The report cannot be written to ${folder.path}: ${denied.message}")
        }
    }
}

package threadgauge.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import threadgauge.run.RecordFolder
import threadgauge.run.UnreadableRecord
import java.io.IOException

/** `threadgauge report`: judges records again and rebuilds their reports. Nothing is started. */
internal class ReportCommand : CliktCommand(name = "report") {
    private val records by argument("record", help = "Folder of a run, such as results/tour-20261121-120000; of several, one page over all")
        .path().multiple(required = true)
    private val json by option("--json", help = "Print one JSON document instead of tables").flag()

    override fun help(context: Context) = "Rebuild every report from a record. Nothing is started."

    override fun run() {
        val folders = records.map { RecordFolder.of(it) }
        folders.forEach { rebuild(it) }
        publishOverview(folders)?.let { terminal.println("All together: $it", stderr = json) }
    }

    private fun rebuild(folder: RecordFolder) {
        try {
            publish(folder.read(), folder, terminal, json)
        } catch (wrong: UnreadableRecord) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The report cannot be written to ${folder.path}: ${denied.message}")
        }
    }
}

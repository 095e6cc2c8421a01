package threadgauge.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import threadgauge.run.RecordFolder
import threadgauge.run.UnreadableRecord
import java.io.IOException

/** `threadgauge report`: judges a record again and rebuilds its reports. Nothing is started. */
internal class ReportCommand : CliktCommand(name = "report") {
    private val record by argument("record", help = "Folder of a run, such as results/tour-20261121-120000").path()
    private val json by option("--json", help = "Print one JSON document instead of tables").flag()

    override fun help(context: Context) = "Rebuild every report from a record. Nothing is started."

    override fun run() {
        val folder = RecordFolder.of(record)
        try {
            publish(folder.read(), folder, terminal, json)
        } catch (wrong: UnreadableRecord) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        } catch (denied: IOException) {
            throw stop(ExitCode.NOT_WRITABLE, "The report cannot be written to ${folder.path}: ${denied.message}")
        }
    }
}

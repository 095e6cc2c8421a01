package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.onInterrupt
import threadgauge.cli.progress.PlainDoctorProgress
import threadgauge.cli.progress.doctorProgressFor
import threadgauge.cli.stop
import threadgauge.doctor.Doctor
import threadgauge.judge.machine.diagnose
import threadgauge.model.Checkup
import threadgauge.report.doctor.doctorJson
import threadgauge.report.doctor.doctorReport
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled

/** `threadgauge doctor`: is this machine fit to measure, and how sure can a run be here? */
internal class DoctorCommand : CliktCommand(name = "doctor") {
    private val json by option(
        "--json", help = "Print one JSON document instead of text; progress goes to standard error",
    ).flag()

    override fun help(context: Context) = """
        Find out whether this machine is fit to measure, and how sure a run can be here.

        Looks at cores, limits and settings, lets the load agent run against a server that does nothing, and measures
        how much two such servers seem to differ. Takes about ${Doctor.SECONDS} s. Nothing is changed and nothing is kept.
    """.trimIndent()

    override fun helpEpilog(context: Context) = exitCodes(
        ExitCode.DONE to "fit to measure; there may be notes",
        ExitCode.CANNOT_TELL to "a problem was found: figures measured here now cannot be trusted",
        ExitCode.UNAVAILABLE to "the load agent could not be started or stopped",
        ExitCode.NOT_WRITABLE to "no folder for logs could be made",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C",
    )

    override fun run() {
        val checkup = examine()
        val diagnosis = diagnose(checkup)
        if (json) print(doctorJson(checkup, diagnosis)) else terminal.println(doctorReport(checkup, diagnosis))
        if (!diagnosis.fit) throw ProgramResult(ExitCode.CANNOT_TELL.number)
    }

    private fun examine(): Checkup {
        val logs = try {
            Files.createTempDirectory("threadgauge-doctor-")
        } catch (denied: IOException) {
            throw stop(
                ExitCode.NOT_WRITABLE, "A temporary folder for logs cannot be created: ${denied.message}",
            )
        }
        val cancellation = Cancellation()
        val progress = if (json) PlainDoctorProgress { System.err.println(it) } else doctorProgressFor(terminal)
        return onInterrupt(cancellation, "stopping the load agent") {
            try {
                progress.use { Doctor(logs, cancellation, it::hear).examine() }.also { delete(logs) }
            } catch (_: Cancelled) {
                delete(logs)
                throw ProgramResult(ExitCode.INTERRUPTED.number)
            }
        }
    }

    /** After a failure the logs are kept, because the message names them. */
    @OptIn(ExperimentalPathApi::class)
    private fun delete(logs: Path) {
        runCatching { logs.deleteRecursively() }
    }
}

package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal
import threadgauge.judge.judge
import threadgauge.model.Plan
import threadgauge.model.RunState
import threadgauge.run.Cancellation
import threadgauge.run.RecordFolder
import threadgauge.run.RecordNotWritten
import threadgauge.run.Run
import threadgauge.run.RunFailed
import java.nio.file.Path
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter

/** Carries out [plan] with its record in a new folder below [out], and publishes what came of it. */
internal fun carryOut(plan: Plan, out: Path, terminal: Terminal, json: Boolean): ExitCode {
    val folder = RecordFolder(out.resolve("${plan.experiment.name}-${LocalDateTime.now().format(STAMP)}"))
    val cancellation = Cancellation()
    val progress = if (json) PlainProgress { System.err.println(it) } else progressFor(terminal)
    val record = onInterrupt(cancellation) {
        try {
            progress.use { Run(plan, folder, cancellation, it::hear).carryOut() }
        } catch (failed: RunFailed) {
            throw stop(ExitCode.UNAVAILABLE, failed.message + remains(folder))
        } catch (denied: RecordNotWritten) {
            throw stop(ExitCode.NOT_WRITABLE, denied.message + remains(folder))
        }
    }
    val judgement = publish(record, folder, terminal, json)
    return when {
        record.state == RunState.INTERRUPTED -> ExitCode.INTERRUPTED
        judgement.situations.any { situation -> situation.cells.any { it.repeats == 0 } } -> ExitCode.CANNOT_TELL
        else -> ExitCode.DONE
    }
}

/** A run that failed still leaves a report of what it saw. */
private fun remains(folder: RecordFolder): String = try {
    val record = folder.read()
    "\nIts report: ${writeReport(record, judge(record), folder)}"
} catch (_: Exception) {
    ""
}

private val STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")

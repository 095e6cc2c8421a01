package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal
import threadgauge.model.Plan
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.run.Cancellation
import threadgauge.run.NotResumable
import threadgauge.run.RecordFolder
import threadgauge.run.RecordInUse
import threadgauge.run.RecordNotWritten
import threadgauge.run.Run
import threadgauge.run.RunFailed
import threadgauge.run.UnreadableRecord
import java.nio.file.Path
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter

/** Carries out [plan] with its record in a new folder below [out], and publishes what came of it. */
internal fun carryOut(plan: Plan, out: Path, terminal: Terminal, json: Boolean): ExitCode {
    val folder = RecordFolder(out.resolve("${plan.experiment.name}-${LocalDateTime.now().format(STAMP)}"))
    return carryOut(folder, terminal, json) { cancellation, progress -> Run(plan, folder, cancellation, progress::hear).carryOut() }
}

/** Does [work], which writes its record to [folder], and publishes what came of it; Ctrl-C ends it with a report all the same. */
internal fun carryOut(folder: RecordFolder, terminal: Terminal, json: Boolean, work: (Cancellation, Progress) -> Record): ExitCode {
    val cancellation = Cancellation()
    val progress = if (json) PlainProgress { System.err.println(it) } else progressFor(terminal)
    val record = onInterrupt(cancellation) {
        try {
            progress.use { work(cancellation, it) }
        } catch (wrong: UnreadableRecord) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        } catch (unfit: NotResumable) {
            throw stop(ExitCode.BAD_FILE, unfit.message.orEmpty())
        } catch (used: RecordInUse) {
            throw stop(ExitCode.UNAVAILABLE, used.message.orEmpty())
        } catch (failed: RunFailed) {
            throw stop(ExitCode.UNAVAILABLE, failed.message + remains(folder) + wayOn(folder))
        } catch (denied: RecordNotWritten) {
            throw stop(ExitCode.NOT_WRITABLE, denied.message + remains(folder))
        }
    }
    val code = publish(record, folder, terminal, json)
    if (record.state != RunState.INTERRUPTED) return code
    System.err.println(wayOn(folder).trimStart())
    return ExitCode.INTERRUPTED
}

private fun wayOn(folder: RecordFolder) = "\nTo carry it on: threadgauge run --resume ${folder.path}"

/** A run that failed still leaves a report of what it saw. */
private fun remains(folder: RecordFolder): String = try {
    "\nIts report: ${writeReport(folder.read(), folder)}"
} catch (_: Exception) {
    ""
}

private val STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")

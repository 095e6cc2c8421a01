package threadgauge.cli.command

import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import threadgauge.cli.ExitCode
import threadgauge.cli.home
import threadgauge.cli.onInterrupt
import threadgauge.cli.progress.PlainProgress
import threadgauge.cli.progress.Progress
import threadgauge.cli.progress.progressFor
import threadgauge.cli.stop
import threadgauge.model.Plan
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.NotResumable
import threadgauge.run.Run
import threadgauge.run.RunFailed
import threadgauge.run.launch.BuildFailed
import threadgauge.run.launch.StackBuild
import threadgauge.store.RecordFolder
import threadgauge.store.RecordInUse
import threadgauge.store.RecordNotWritten
import threadgauge.store.UnreadableRecord

/** Where the record of a run of [plan] that begins now is to lie. */
internal fun newFolder(plan: Plan, out: Path) =
    RecordFolder(out.resolve("${plan.experiment.name}-${LocalDateTime.now().format(STAMP)}"))

/** Carries out [plan] with its record in [folder], and publishes what came of it. */
internal fun carryOut(plan: Plan, folder: RecordFolder, terminal: Terminal, json: Boolean): ExitCode {
    return carryOut(folder, terminal, json) { cancellation, progress ->
        build(plan, cancellation, terminal)
        Run(plan, folder, cancellation, progress::hear).carryOut()
    }
}

/** Carries on the run whose record is in [folder], as it was planned. */
internal fun carryOn(folder: RecordFolder, terminal: Terminal, json: Boolean): ExitCode =
    carryOut(folder, terminal, json) { cancellation, progress ->
        build(folder.read().plan, cancellation, terminal)
        Run.resume(folder, cancellation, progress::hear)
    }

/**
 * Does [work], which writes its record to [folder], and publishes what came of it; Ctrl-C ends it with a report all the
 * same.
 */
private fun carryOut(
    folder: RecordFolder,
    terminal: Terminal,
    json: Boolean,
    work: (Cancellation, Progress) -> Record,
): ExitCode {
    val cancellation = Cancellation()
    val progress = if (json) PlainProgress { terminal.println(it, stderr = true) } else progressFor(terminal)
    val record = onInterrupt(cancellation) {
        try {
            progress.use { work(cancellation, it) }
        } catch (wrong: UnreadableRecord) {
            throw stop(ExitCode.BAD_FILE, wrong.message.orEmpty())
        } catch (unfit: NotResumable) {
            throw stop(ExitCode.BAD_FILE, unfit.message.orEmpty())
        } catch (used: RecordInUse) {
            throw stop(ExitCode.UNAVAILABLE, used.message.orEmpty())
        } catch (_: Cancelled) {
            throw stop(ExitCode.INTERRUPTED, "Interrupted before anything was measured.")
        } catch (failed: BuildFailed) {
            throw stop(ExitCode.UNAVAILABLE, failed.message.orEmpty())
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

private fun build(plan: Plan, cancellation: Cancellation, terminal: Terminal) =
    StackBuild(home, builtBefore).build(plan, cancellation) { terminal.println(it, stderr = true) }

/** The modules that the launcher has just built or found built. */
private val builtBefore: Set<String> =
    System.getProperty("threadgauge.built").orEmpty().split(' ').filter { it.isNotEmpty() }.toSet()

private val STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")

package threadgauge.cli.command.publish

import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.telemetryFor
import threadgauge.cli.home
import threadgauge.cli.onInterrupt
import threadgauge.cli.progress.PlainProgress
import threadgauge.cli.progress.Progress
import threadgauge.cli.progress.buildWords
import threadgauge.cli.progress.progressFor
import threadgauge.cli.stop
import threadgauge.judge.progress.nextStep
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.plan.Plan
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.Run
import threadgauge.run.RunEvent
import threadgauge.run.RunFailed
import threadgauge.run.RunListener
import threadgauge.run.launch.StackBuild
import threadgauge.store.RecordFolder
import threadgauge.store.RecordNotWritten
import threadgauge.telemetry.Telemetry
import threadgauge.telemetry.TelemetryOrder

/** A new folder for the record of a run of [plan]. */
internal fun newFolder(plan: Plan, out: Path) =
    RecordFolder(out.resolve("${plan.experiment.name}-${LocalDateTime.now().format(STAMP)}"))

/**
 * Runs [plan] with its record in [folder], and publishes the result; [telemetry] while it goes on. Not [isPrinted]: its
 * report is written, but not printed.
 */
internal fun runAndPublish(
    plan: Plan,
    folder: RecordFolder,
    terminal: Terminal,
    json: Boolean,
    summaries: Summaries = Summaries.NONE,
    telemetry: TelemetryOrder = TelemetryOrder.NONE,
    isPrinted: Boolean = true,
): ExitCode {
    val export = { telemetryFor(telemetry, folder, terminal) { plan.experiment.name } }
    return published(folder, terminal, json, summaries, export, isPrinted) { cancellation, hear ->
        build(plan, cancellation, terminal)
        Run(plan, folder, cancellation, hear, ::nextStep).execute()
    }
}

/**
 * Resumes the run whose record is in [folder], as planned, and publishes the result. A map is searched for [moreNanos],
 * or for what is left of its time.
 */
internal fun resumeAndPublish(
    folder: RecordFolder,
    terminal: Terminal,
    json: Boolean,
    summaries: Summaries = Summaries.NONE,
    telemetry: TelemetryOrder = TelemetryOrder.NONE,
    moreNanos: Long? = null,
): ExitCode {
    val export = { telemetryFor(telemetry, folder, terminal) { folder.read().plan.experiment.name } }
    return published(folder, terminal, json, summaries, export) { cancellation, hear ->
        Run.resume(folder, cancellation, hear, ::nextStep, moreNanos) { build(it, cancellation, terminal) }
    }
}

/**
 * Runs [work], which writes its record to [folder], and publishes the result. Ctrl-C ends it with a report, too.
 * [export] opens what else hears of the run; it is null for nothing.
 */
private fun published(
    folder: RecordFolder,
    terminal: Terminal,
    json: Boolean,
    summaries: Summaries,
    export: () -> Telemetry?,
    isPrinted: Boolean = true,
    work: (Cancellation, RunListener) -> Record,
): ExitCode {
    val cancellation = Cancellation()
    val progress = if (json) PlainProgress(print = { terminal.println(it, stderr = true) }) else progressFor(terminal)
    val record = onInterrupt(cancellation) {
        try {
            progress.use { export().use { telemetry -> work(cancellation, listener(progress, telemetry)) } }
        } catch (_: Cancelled) {
            throw stop(ExitCode.INTERRUPTED, "Interrupted before anything was measured.")
        } catch (failed: RunFailed) {
            throw stop(failed, remains(folder, summaries) + wayOn(folder))
        } catch (denied: RecordNotWritten) {
            throw stop(denied, remains(folder, summaries))
        }
    }
    val code = publish(record, folder, terminal, json, summaries, isPrinted)
    if (record.state != RunState.INTERRUPTED) return code
    System.err.println(wayOn(folder).trimStart())
    return ExitCode.INTERRUPTED
}

/** Progress hears nothing of loads under way: printing would disturb them. */
private fun listener(progress: Progress, telemetry: Telemetry?): RunListener = { event ->
    if (event !is RunEvent.OfLoad) progress.hear(event)
    telemetry?.hear(event)
}

private fun wayOn(folder: RecordFolder) = "\nTo resume it: threadgauge run --resume ${folder.path}"

/** A failed run has a report of its trials so far. */
private fun remains(folder: RecordFolder, summaries: Summaries): String = try {
    "\nIts report: ${writeReport(folder.read(), folder, summaries)}"
} catch (_: Exception) {
    ""
}

private fun build(plan: Plan, cancellation: Cancellation, terminal: Terminal) =
    StackBuild(home, builtBefore).build(plan, cancellation) { terminal.println(buildWords(it), stderr = true) }

/** The modules that the launcher has built or found up to date. */
private val builtBefore: Set<String> =
    System.getProperty("threadgauge.built").orEmpty().split(' ').filter { it.isNotEmpty() }.toSet()

private val STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")

internal const val TARGET_HELP = "A URL, a jar, a command in quotes, container:IMAGE, or the name of a stack"
internal const val WITHIN_HELP =
    "Measure until every difference is told or its interval is within ± N %; stops early (instead of --trials)"
internal const val NO_CAUSES_HELP = "Do not load each stack once more to find out why it is as fast as it is"
internal const val BUDGET_HELP = "Time for the run: the narrowest intervals that fit (instead of --trials)"
internal const val GOALS_HELP =
    "Goals that decide the exit code, such as \"p99<300ms, errors<0.1%, throughput>200/s\""

package threadgauge.cli.command.publish

import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.judge.judge
import threadgauge.judge.knee.judgeKnees
import threadgauge.judge.map.judgeMap
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.gate
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.ci.JudgedRun
import threadgauge.report.json.jsonReport
import threadgauge.report.knee.kneeJson
import threadgauge.report.knee.kneeReport
import threadgauge.report.map.mapJson
import threadgauge.report.map.mapReport
import threadgauge.report.terminal.terminalReport
import threadgauge.serve.summarised
import threadgauge.store.RecordFolder

/**
 * Judges [record] of a run, a search for the knee or a map, writes its report next to it, and prints the result as
 * tables or as one JSON document. Returns the exit code that follows from the figures.
 */
internal fun publish(
    record: Record,
    folder: RecordFolder,
    terminal: Terminal,
    json: Boolean,
    summaries: Summaries = Summaries.NONE,
    isPrinted: Boolean = true,
): ExitCode {
    if (record.plan.knee != null) return publishKnee(record, folder, terminal, json)
    if (record.plan.map != null) return publishMap(record, folder, terminal, json)
    val judgement = judge(record)
    val report = writeReport(record, judgement, folder)
    summaries.add(JudgedRun(record, judgement, report.toString()))
    if (json && isPrinted) {
        print(jsonReport(record, judgement))
    } else if (isPrinted) {
        terminal.println(terminalReport(record, judgement, report.toString()))
    }
    return codeFor(judgement)
}

internal fun codeFor(judgement: Judgement): ExitCode = when (judgement.gate) {
    GateResult.PASSED -> ExitCode.DONE
    GateResult.FAILED -> ExitCode.FAILED
    GateResult.CANNOT_TELL -> ExitCode.CANNOT_TELL
}

/** Judges [record], and writes its report and picture into its folder. Returns the path of the report. */
internal fun writeReport(record: Record, folder: RecordFolder, summaries: Summaries = Summaries.NONE): Path {
    if (record.plan.knee != null) return writeKneeReport(record, judgeKnees(record), folder)
    if (record.plan.map != null) return writeMapReport(record, judgeMap(record), folder)
    val judgement = judge(record)
    val report = writeReport(record, judgement, folder)
    summaries.add(JudgedRun(record, judgement, report.toString()))
    return report
}

private fun writeReport(record: Record, judgement: Judgement, folder: RecordFolder): Path {
    summarised(record, folder, judgement)
    return folder.writePage(record, judgement)
}

private fun publishKnee(record: Record, folder: RecordFolder, terminal: Terminal, json: Boolean): ExitCode {
    val judgement = judgeKnees(record)
    val report = writeKneeReport(record, judgement, folder)
    if (json) print(kneeJson(record, judgement)) else terminal.println(kneeReport(record, judgement, report.toString()))
    return when {
        // A target that never started is a failure, not an open result.
        record.trials.all { it.probes.isEmpty() } -> ExitCode.UNAVAILABLE
        judgement.targets.any { it.outcome != KneeOutcome.FOUND } -> ExitCode.CANNOT_TELL
        else -> ExitCode.DONE
    }
}

private fun writeKneeReport(record: Record, judgement: KneesJudgement, folder: RecordFolder): Path {
    summarised(record, folder, judgement = null)
    return folder.writePage(record, judgement)
}

private fun publishMap(record: Record, folder: RecordFolder, terminal: Terminal, json: Boolean): ExitCode {
    val judgement = judgeMap(record)
    val report = writeMapReport(record, judgement, folder)
    if (json) print(mapJson(record, judgement)) else terminal.println(mapReport(record, judgement, report.toString()))
    return when {
        judgement.places.isEmpty() -> ExitCode.UNAVAILABLE
        judgement.isComplete -> ExitCode.DONE
        else -> ExitCode.CANNOT_TELL
    }
}

private fun writeMapReport(record: Record, judgement: MapJudgement, folder: RecordFolder): Path {
    summarised(record, folder, judgement = null)
    return folder.writePage(record, judgement)
}

package threadgauge.cli.command

import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.judge.judge
import threadgauge.judge.knee.judgeKnees
import threadgauge.model.Record
import threadgauge.model.judgement.ClaimVerdict
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.KneesJudgement
import threadgauge.report.html.claim.claimsPicture
import threadgauge.report.html.htmlReport
import threadgauge.report.json.jsonReport
import threadgauge.report.knee.kneeHtmlReport
import threadgauge.report.knee.kneeJson
import threadgauge.report.knee.kneeReport
import threadgauge.report.terminal.terminalReport
import threadgauge.store.RecordFolder

/**
 * Judges [record] of a run or a search for the knee, writes its report next to it, and prints the result as tables or
 * as one JSON document. Returns the exit code that follows from the figures.
 */
internal fun publish(record: Record, folder: RecordFolder, terminal: Terminal, json: Boolean): ExitCode {
    if (record.plan.knee != null) return publishKnee(record, folder, terminal, json)
    val judgement = judge(record)
    val report = writeReport(record, judgement, folder)
    if (json) {
        print(jsonReport(record, judgement))
    } else {
        terminal.println(terminalReport(record, judgement, report.toString()))
    }
    return codeFor(judgement)
}

/**
 * A refuted claim or a broken goal takes precedence. A stack has figures but no answer to the question if too many of
 * its requests failed, or if its answers took longer than the load.
 */
internal fun codeFor(judgement: Judgement): ExitCode {
    val claims = judgement.claims.map { it.verdict }
    val goals = judgement.goals.map { it.verdict }
    val cells = judgement.situations.flatMap { it.cells }
    val isMissing = cells.any { it.trials == 0 || it.isFailing || it.isTooShort || it.hasOnlyFailed }
    val isOpen = ClaimVerdict.CANNOT_TELL_HERE in claims || GoalVerdict.CANNOT_TELL in goals
    return when {
        ClaimVerdict.REFUTED in claims || GoalVerdict.BROKEN in goals -> ExitCode.FAILED
        isMissing || isOpen -> ExitCode.CANNOT_TELL
        else -> ExitCode.DONE
    }
}

/**
 * Writes `report.html`, and a picture of the claims if there are any, into the folder of the record. Returns the path
 * of the report.
 */
internal fun writeReport(record: Record, folder: RecordFolder): Path =
    if (record.plan.knee == null) {
        writeReport(record, judge(record), folder)
    } else {
        writeKneeReport(record, judgeKnees(record), folder)
    }

private fun writeReport(record: Record, judgement: Judgement, folder: RecordFolder): Path {
    claimsPicture(record, judgement)?.let { folder.path.resolve("claims.svg").writeText(it) }
    return folder.writeReport(htmlReport(record, judgement))
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

private fun writeKneeReport(record: Record, judgement: KneesJudgement, folder: RecordFolder) =
    folder.writeReport(kneeHtmlReport(record, judgement))

private fun RecordFolder.writeReport(html: String): Path = path.resolve("report.html").also { it.writeText(html) }

package threadgauge.cli

import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.terminal.Terminal
import threadgauge.judge.judgeKnee
import threadgauge.model.KneeJudgement
import threadgauge.model.ProbeOutcome
import threadgauge.model.Record
import threadgauge.report.kneeHtmlReport
import threadgauge.report.kneeJson
import threadgauge.report.kneeProbeLine
import threadgauge.report.kneeReport
import threadgauge.run.RecordFolder
import threadgauge.run.RunEvent
import java.nio.file.Path
import kotlin.io.path.writeText

/** As `publish`, for the record of a search for the knee. */
internal fun publishKnee(record: Record, folder: RecordFolder, terminal: Terminal, json: Boolean): KneeJudgement {
    val judgement = judgeKnee(record)
    val report = writeKneeReport(record, judgement, folder)
    if (json) print(kneeJson(record, judgement)) else terminal.println(kneeReport(record, judgement, report.toString()))
    return judgement
}

/** Writes `report.html` into the record's folder and gives back its path. */
internal fun writeKneeReport(record: Record, judgement: KneeJudgement, folder: RecordFolder): Path =
    folder.path.resolve("report.html").also { it.writeText(kneeHtmlReport(record, judgement)) }

/** What a probe came to, in one line of progress. */
internal fun probeLine(event: RunEvent.Probed): String {
    val line = kneeProbeLine(event.probe)
    return when (event.probe.outcome) {
        ProbeOutcome.KEPT -> green(line)
        ProbeOutcome.BROKEN -> red(line)
        ProbeOutcome.AGENT, ProbeOutcome.LATE -> yellow(line)
        null -> line
    }
}

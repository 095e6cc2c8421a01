package threadgauge.cli

import com.github.ajalt.mordant.terminal.Terminal
import threadgauge.judge.judge
import threadgauge.model.Judgement
import threadgauge.model.Record
import threadgauge.report.htmlReport
import threadgauge.report.jsonReport
import threadgauge.report.terminalReport
import threadgauge.run.RecordFolder
import java.nio.file.Path
import kotlin.io.path.writeText

/** Judges [record], writes its report beside it, and shows the result: as tables, or as one JSON document. */
internal fun publish(record: Record, folder: RecordFolder, terminal: Terminal, json: Boolean): Judgement {
    val judgement = judge(record)
    val report = writeReport(record, judgement, folder)
    if (json) print(jsonReport(record, judgement)) else terminal.println(terminalReport(record, judgement, report.toString()))
    return judgement
}

/** Writes `report.html` into the record's folder and gives back its path. */
internal fun writeReport(record: Record, judgement: Judgement, folder: RecordFolder): Path =
    folder.path.resolve("report.html").also { it.writeText(htmlReport(record, judgement)) }

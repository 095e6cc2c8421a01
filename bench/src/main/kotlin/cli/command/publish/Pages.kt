package threadgauge.cli.command.publish

import java.nio.file.Path
import kotlin.io.path.writeText
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.KneesJudgement
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.html.claim.claimsPicture
import threadgauge.report.knee.kneeHtmlReport
import threadgauge.report.map.mapHtmlReport
import threadgauge.report.map.mapPicture
import threadgauge.report.site.Published
import threadgauge.serve.reportHtml
import threadgauge.store.RecordFolder

/**
 * Writes the report of a run into the folder of its record, and the picture of its claims, if it has any, as
 * `claims.svg` beside it. Returns the path of the report. [published] is for a site. Throws `IOException`.
 */
internal fun RecordFolder.writePage(record: Record, judgement: Judgement, published: Published? = null): Path {
    claimsPicture(record, judgement)?.let { path.resolve("claims.svg").writeText(it) }
    return write(reportHtml(record, this, judgement, published))
}

/** The same for a map, whose picture for quoting is `map.svg`. */
internal fun RecordFolder.writePage(record: Record, judgement: MapJudgement, published: Published? = null): Path {
    mapPicture(record, judgement)?.let { path.resolve("map.svg").writeText(it) }
    return write(mapHtmlReport(record, judgement, published))
}

/** The same for a search for the knee, which has no picture. */
internal fun RecordFolder.writePage(record: Record, judgement: KneesJudgement): Path =
    write(kneeHtmlReport(record, judgement))

private fun RecordFolder.write(html: String): Path = path.resolve("report.html").also { it.writeText(html) }

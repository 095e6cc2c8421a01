package threadgauge.serve

import threadgauge.judge.flame.flameGraphs
import threadgauge.judge.judge
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.report.html.htmlReport
import threadgauge.report.site.Published
import threadgauge.store.RecordFolder
import threadgauge.store.storedFlames

/**
 * The report of [record] with the flame graphs whose call trees are in its [folder], as a page of a site where it is
 * [published].
 */
fun reportHtml(
    record: Record,
    folder: RecordFolder,
    judgement: Judgement = judge(record),
    published: Published? = null,
): String = htmlReport(record, judgement, flameGraphs(record, storedFlames(listOf(record to folder))), published)

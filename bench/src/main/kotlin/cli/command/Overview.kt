package threadgauge.cli.command

import java.nio.file.Path
import kotlin.io.path.absolute
import kotlin.io.path.name
import kotlin.io.path.writeText
import threadgauge.judge.claim.claimsOverRuns
import threadgauge.judge.judge
import threadgauge.report.overview.OverviewRun
import threadgauge.report.overview.overviewHtml
import threadgauge.store.RecordFolder
import threadgauge.store.UnreadableRecord

/**
 * Writes one page over the runs in [folders], next to the first of them, and returns its path. Null for fewer than two
 * runs. Searches for the knee, maps and runs without a record are left out.
 */
internal fun publishOverview(folders: List<RecordFolder>): Path? {
    val parent = folders.firstOrNull()?.path?.absolute()?.normalize()?.parent ?: return null
    val runs = folders.mapNotNull { folder ->
        val record = try {
            folder.read().takeIf { it.plan.comparesSituations }
        } catch (_: UnreadableRecord) {
            null
        }
        val report = parent.relativize(folder.path.absolute().normalize().resolve("report.html")).joinToString("/")
        record?.let { OverviewRun(it, judge(it), report) }
    }
    if (runs.size < 2) return null
    val page = "overview-${folders.first().path.name.takeLast(STAMP_LENGTH)}.html"
    parent.resolve(page).writeText(overviewHtml(runs, claimsOverRuns(runs.map { it.record to it.judgement })))
    return folders.first().path.resolveSibling(page)
}

/** Length of the date and time at the end of a folder's name. */
private const val STAMP_LENGTH = 15

package threadgauge.cli.command.publish

import java.nio.file.Path
import kotlin.io.path.absolute
import kotlin.io.path.name
import kotlin.io.path.writeText
import threadgauge.judge.claim.claimsOverRuns
import threadgauge.judge.judge
import threadgauge.judge.map.agreement
import threadgauge.judge.map.judgeMap
import threadgauge.model.Record
import threadgauge.model.judgement.map.MapAgreement
import threadgauge.report.map.MapBeside
import threadgauge.report.map.mapsHtml
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
        readable(folder)?.takeIf { it.plan.comparesSituations }
            ?.let { OverviewRun(it, judge(it), parent.linkTo(folder)) }
    }
    if (runs.size < 2) return null
    val page = "overview-${folders.first().path.name.takeLast(STAMP_LENGTH)}.html"
    parent.resolve(page).writeText(overviewHtml(runs, claimsOverRuns(runs.map { it.record to it.judgement })))
    return folders.first().path.resolveSibling(page)
}

/** A page over several maps, and how far each of them agrees with the first. */
internal class MapsPage(val path: Path, val agreements: List<MapAgreement>)

/**
 * Writes one page with the maps in [folders] side by side, next to the first of them. Those of another sheet than the
 * first are left out. Null for fewer than two.
 */
internal fun publishMaps(folders: List<RecordFolder>): MapsPage? {
    val parent = folders.firstOrNull()?.path?.absolute()?.normalize()?.parent ?: return null
    val all = folders.mapNotNull { folder ->
        val record = readable(folder)?.takeIf { it.plan.map != null } ?: return@mapNotNull null
        MapBeside(record, judgeMap(record), parent.linkTo(folder)).takeIf { it.judgement.places.isNotEmpty() }
    }
    val maps = all.filter { it.judgement.question.sheet == all.first().judgement.question.sheet }
    if (maps.size < 2) return null
    val agreements = maps.drop(1).mapNotNull { agreement(maps.first().judgement, it.judgement) }
    val page = folders.first().path.resolveSibling("maps-${folders.first().path.name.takeLast(STAMP_LENGTH)}.html")
    page.writeText(mapsHtml(maps, agreements))
    return MapsPage(page, agreements)
}

/** The record in [folder]; null where there is none that can be read. */
internal fun readable(folder: RecordFolder): Record? = try {
    folder.read()
} catch (_: UnreadableRecord) {
    null
}

private fun Path.linkTo(folder: RecordFolder): String =
    relativize(folder.path.absolute().normalize().resolve("report.html")).joinToString("/")

/** Length of the date and time at the end of a folder's name. */
private const val STAMP_LENGTH = 15

package threadgauge.report.site

import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.article
import kotlinx.html.body
import kotlinx.html.figure
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.main
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.format.count
import threadgauge.report.format.unbroken
import threadgauge.report.html.documentHead
import threadgauge.report.html.minute
import threadgauge.report.html.resource
import threadgauge.report.html.topBar
import threadgauge.report.map.mapPanels
import threadgauge.report.overview.OverviewRun
import threadgauge.report.overview.modelTable
import threadgauge.report.overview.overviewClaims
import threadgauge.wording.map.findings
import threadgauge.wording.verdict.answer

/** A run of a site. The report of [run] is its page, and [published] is relative to that. */
class SiteRun(val run: OverviewRun, val published: Published)

/** A map of a site, whose report is [page]. */
class SiteMap(val record: Record, val judgement: MapJudgement, val page: String, val published: Published)

/**
 * The first page of a site: maps, claims, which model fits where, and all experiments, each with a link to its page.
 * Escaped and self-contained as [threadgauge.report.html.htmlReport]. One of [runs] and [maps] must not be empty;
 * [claims] are those of the runs, by their index.
 */
fun siteHtml(runs: List<SiteRun>, maps: List<SiteMap>, claims: List<ClaimOverRuns>): String = buildString {
    require(runs.isNotEmpty() || maps.isNotEmpty()) { "a site needs a run or a map" }
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead(TITLE) }
        body { page(runs, maps, claims) }
    }
    append('\n')
}

private fun BODY.page(runs: List<SiteRun>, maps: List<SiteMap>, claims: List<ClaimOverRuns>) {
    val overview = runs.map { it.run }
    val contents = listOfNotNull(
        ("maps" to "Maps").takeIf { maps.isNotEmpty() },
        ("claims" to "Claims").takeIf { claims.isNotEmpty() },
        ("experiments" to "Experiments").takeIf { runs.isNotEmpty() },
    )
    a(href = "#site", classes = "skip") { +"Skip to the answers" }
    header("top") { topBar("${count(runs.size + maps.size, "measurement")}, each with its data", contents) }
    main {
        section {
            id = "site"
            h1 { +TITLE }
            if (maps.isNotEmpty()) h2 { id = "maps"; +"Maps" }
            maps.forEach { map(it) }
            overviewClaims(overview, claims)
            modelTable(overview)
            if (runs.isNotEmpty()) h2 { id = "experiments"; +"Experiments" }
            runs.forEach { experiment(it) }
        }
    }
    footer { p { +"These pages were made from the records alone and load nothing from a network." } }
    script { unsafe { raw(resource("/threadgauge/report/report.js")) } }
}

private fun FlowContent.map(map: SiteMap) = article {
    h3 { a(href = map.page) { +map.record.plan.experiment.question } }
    map.judgement.findings().forEach { p { +unbroken(it) } }
    if (map.judgement.places.isNotEmpty()) {
        figure("map-panels") { unsafe { raw(mapPanels(map.record, map.judgement, map.page)) } }
    }
    asked(map.record, map.published, map.page)
}

private fun FlowContent.experiment(of: SiteRun) = article {
    h3 { a(href = of.run.report) { +of.run.judgement.question } }
    of.run.judgement.answer.forEach { p { +unbroken(it) } }
    asked(of.run.record, of.published, of.run.report)
}

private fun FlowContent.asked(record: Record, published: Published, page: String) = p("asked") {
    val folder = page.substringBeforeLast('/', "").let { if (it.isEmpty()) "" else "$it/" }
    +"Measured on ${count(record.environment.cores, "core")}, ${minute(record.startedAt)}. "
    a(href = folder + published.data) { +"Data" }
    +". To ask it again: "
    span("code") { +published.command }
}

private const val TITLE = "Which concurrency model fits a server like mine?"

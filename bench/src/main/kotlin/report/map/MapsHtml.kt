package threadgauge.report.map

import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.TagConsumer
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.div
import kotlinx.html.figcaption
import kotlinx.html.figure
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.main
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.stream.appendHTML
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.map.MapAgreement
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.format.count
import threadgauge.report.format.unbroken
import threadgauge.report.html.documentHead
import threadgauge.report.html.minute
import threadgauge.report.html.resource
import threadgauge.report.html.topBar
import threadgauge.wording.map.details
import threadgauge.wording.map.findings
import threadgauge.wording.map.words

/** A map beside others, whose report is [page]. */
class MapBeside(val record: Record, val judgement: MapJudgement, val page: String)

/**
 * Maps of one sheet side by side: for each stack a panel of each map, all with the same axes, and how far maps agree
 * with the first. Self-contained, and escaped as [threadgauge.report.html.htmlReport]. There must be two or more, each
 * with a place.
 */
fun mapsHtml(maps: List<MapBeside>, agreements: List<MapAgreement>): String = buildString {
    require(maps.size > 1) { "one map has a report of its own" }
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead(TITLE) }
        body { page(maps, agreements) }
    }
    append('\n')
}

private fun BODY.page(maps: List<MapBeside>, agreements: List<MapAgreement>) {
    val stacks = maps.flatMap { it.judgement.stacks }.distinctBy { it.name }
    val pictures = picturesOf(maps)
    a(href = "#maps", classes = "skip") { +"Skip to the maps" }
    val contents = listOf("maps" to "Maps", "agreement" to "Agreement", "findings" to "Findings")
    header("top") { topBar(count(maps.size, "map"), contents) }
    main {
        section {
            id = "maps"
            h1 { +TITLE }
            stacks.forEachIndexed { index, stack ->
                h2 { +stack.title }
                panels(pictures, stack.name, isFirst = index == 0)
            }
            div("map-panels") { unsafe { raw(picture { pictures.first().second.drawLegend(it) }) } }
        }
        section {
            id = "agreement"
            h2 { +"How far they agree" }
            agreements.forEach { agreement ->
                p { +unbroken("${agreement.other} beside ${agreement.base}: ${agreement.words()}") }
                val details = agreement.details(maps.first().judgement.question)
                if (details.isNotEmpty()) ul { details.forEach { li { +unbroken(it) } } }
            }
        }
        section {
            id = "findings"
            h2 { +"What each map says" }
            maps.forEach { map ->
                p { a(href = map.page) { +map.record.id }; +", ${machine(map.record)}" }
                ul { map.judgement.findings().forEach { li { +unbroken(it) } } }
            }
        }
    }
    footer { p { +"This page was made from the records alone and loads nothing from a network." } }
    script { unsafe { raw(resource("/threadgauge/report/report.js")) } }
}

private fun FlowContent.panels(
    pictures: List<Pair<MapBeside, MapPicture>>, stack: String, isFirst: Boolean,
) = div("map-panels") {
    pictures.forEachIndexed { index, (map, drawn) ->
        val its = map.judgement.stacks.firstOrNull { it.name == stack } ?: return@forEachIndexed
        figure {
            unsafe { raw(picture { drawn.drawPanel(it, its, isFirst && index == 0) }) }
            figcaption { +"${map.record.id}, ${machine(map.record)}" }
        }
    }
}

/** All with the same axes. */
private fun picturesOf(maps: List<MapBeside>): List<Pair<MapBeside, MapPicture>> {
    val frame = MapFrame.of(maps.map { it.judgement })
    return maps.map { map ->
        map to MapPicture(
            map.record, map.judgement, { work, users -> "${map.page}#${anchor(work, users)}" }, frame = frame,
        )
    }
}

private fun picture(draw: (TagConsumer<*>) -> Unit): String =
    buildString { draw(appendHTML(prettyPrint = false, xhtmlCompatible = true)) }

private fun machine(record: Record) = record.environment.let {
    "${count(it.cores, "core")}, Java ${it.java.substringAfterLast(' ')}, ${minute(record.startedAt)}"
}

private const val TITLE = "Maps side by side"

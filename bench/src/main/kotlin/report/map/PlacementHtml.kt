package threadgauge.report.map

import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.div
import kotlinx.html.figure
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.stream.appendHTML
import kotlinx.html.strong
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlacement
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.reportPage
import threadgauge.report.html.section.environmentSection
import threadgauge.report.html.section.startSection
import threadgauge.report.html.withoutVerdicts
import threadgauge.wording.map.answerWords
import threadgauge.wording.map.doubtWords
import threadgauge.wording.map.findings
import threadgauge.wording.map.limitWords
import threadgauge.wording.map.nearestWords
import threadgauge.wording.map.sign
import threadgauge.wording.map.words
import threadgauge.wording.map.workWords

/**
 * Where the requests of the service in [record] lie on the map, as one self-contained document: a picture of
 * [mapRecord] for each of [placements], of which there must be one. All text is escaped, as records may come from third
 * parties.
 */
fun placementHtml(record: Record, placements: List<MapPlacement>, mapRecord: Record, map: MapJudgement): String {
    val subject = withoutVerdicts(record)
    val contents = listOf("answer" to "Place", "map" to "Map", "start" to "Start", "machine" to "Machine")
    return reportPage(subject, contents) {
        placements.forEachIndexed { index, placed -> placement(record, placed, index, mapRecord, map) }
        section {
            id = "map"
            attributes["aria-labelledby"] = "map-title"
            h2 { id = "map-title"; +"What the map says" }
            map.findings().forEach { p { +unbroken(it) } }
        }
        startSection(subject)
        environmentSection(subject)
    }
}

private fun MAIN.placement(record: Record, placed: MapPlacement, index: Int, mapRecord: Record, map: MapJudgement) =
    section {
        id = if (index == 0) "answer" else "answer-${index + 1}"
        attributes["aria-labelledby"] = "$id-title"
        h1 { id = "${this@section.id}-title"; +placed.heading(record) }
        div("sentences") {
            listOfNotNull(placed.answerWords(), placed.workWords(), placed.limitWords(), placed.nearestWords(map))
                .forEach { p { +unbroken(it) } }
        }
        moves(placed)
        ul("sureness") {
            attributes["aria-label"] = "Basis of this answer"
            placed.doubtWords(map).forEach { li("warn") { +unbroken(it) } }
        }
        figure("map-panels") {
            unsafe {
                raw(
                    buildString {
                        MapPicture(mapRecord, map, href = null, MapMark(placed.waitMillis, placed.users, placed.stack))
                            .drawApart(appendHTML(prettyPrint = false, xhtmlCompatible = true))
                    },
                )
            }
        }
    }

private fun FlowContent.moves(placed: MapPlacement) = ul {
    placed.moves.forEach { li { +"${it.gain.sign()} "; strong { +it.title }; +": ${sentence(unbroken(it.words()))}" } }
}

package threadgauge.report.map

import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Text
import kotlinx.serialization.Serializable
import threadgauge.model.Record
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlacement
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.map.answerWords
import threadgauge.wording.map.doubtWords
import threadgauge.wording.map.limitWords
import threadgauge.wording.map.nearestWords
import threadgauge.wording.map.sign
import threadgauge.wording.map.words
import threadgauge.wording.map.workWords

/**
 * Where the requests of the service in [record] lie on the [map], for a terminal. It fits 80 columns and does not rely
 * on colour. [reportFile] is printed as given.
 */
fun placementReport(
    record: Record,
    placements: List<MapPlacement>,
    map: MapJudgement,
    reportFile: String,
): Widget = verticalLayout {
    spacing = 0
    for (placed in placements) {
        paragraph(bold(placed.heading(record)))
        paragraph(bold(unbroken(placed.answerWords())))
        blank()
        paragraph(unbroken(placed.workWords()))
        placed.limitWords()?.let { paragraph(unbroken(it)) }
        paragraph(unbroken(placed.nearestWords(map)))
        blank()
        placed.moves.forEach { hanging(it.gain.sign(), "${bold(it.title)}: ${sentence(unbroken(it.words()))}", 1) }
        blank()
        placed.doubtWords(map).forEach { hanging(yellow("!"), dim(unbroken(it)), 1) }
        blank()
    }
    cell(Text("Report, with the picture: $reportFile", Whitespace.PRE))
}

/** "GET /orders of shop on the map". */
internal fun MapPlacement.heading(record: Record): String {
    val request = record.plan.experiment.situations.first { it.name == situation }.request
    return "${request.method} ${request.path} of ${record.plan.titles[stack] ?: stack} on the map"
}

/** Places of a service on a map as JSON. Units are in the names. */
@Serializable
data class PlacementsJson(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = 1,
    val placements: List<WordedPlacement>,
)

/** A placement with what the reports say of it. */
@Serializable
data class WordedPlacement(val placement: MapPlacement, val words: List<String>, val doubts: List<String>)

/** One JSON document with a newline at its end. */
fun placementJson(placements: List<MapPlacement>, map: MapJudgement): String {
    val worded = placements.map {
        val words = listOfNotNull(it.answerWords(), it.workWords(), it.limitWords(), it.nearestWords(map))
        WordedPlacement(it, words, it.doubtWords(map))
    }
    return DOCUMENT_FORMAT.encodeToString(PlacementsJson.serializer(), PlacementsJson(placements = worded)) + "\n"
}

package threadgauge.report.map

import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.figure
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.strong
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.model.judgement.map.MapPlace
import threadgauge.model.judgement.map.StackAtPlace
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.megabytes
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.reportPage
import threadgauge.report.html.section.environmentSection
import threadgauge.report.html.section.settingsSection
import threadgauge.report.html.section.startSection
import threadgauge.report.html.stateNotice
import threadgauge.report.html.withoutVerdicts
import threadgauge.report.site.Published
import threadgauge.wording.failure.reason
import threadgauge.wording.map.doubtWords
import threadgauge.wording.map.findings
import threadgauge.wording.map.fitWords
import threadgauge.wording.map.methodWords
import threadgauge.wording.map.words
import threadgauge.wording.map.workWords

/**
 * The report of a map as one self-contained HTML document. A place of the picture leads to its figures. All text of
 * [record] and [judgement] is escaped, because records may come from third parties.
 */
fun mapHtmlReport(record: Record, judgement: MapJudgement, published: Published? = null): String {
    val subject = withoutVerdicts(record, published)
    return reportPage(subject, CONTENTS) {
        answer(subject, judgement)
        laws(judgement)
        places(subject, judgement)
        startSection(subject)
        settingsSection(subject)
        environmentSection(subject)
    }
}

private fun MAIN.answer(subject: ReportContext, judgement: MapJudgement) = section {
    id = "answer"
    attributes["aria-labelledby"] = "question"
    h1 { id = "question"; +subject.judgement.question }
    stateNotice(subject.record)?.let { (title, words) -> p("notice") { strong { +title }; +" $words" } }
    div("sentences") { judgement.findings().forEach { p { +unbroken(it) } } }
    ul("sureness") {
        attributes["aria-label"] = "Basis of this answer"
        li("sure") { +unbroken(judgement.question.fitWords()) }
        li(if (judgement.isComplete) "sure" else "warn") { +unbroken(judgement.methodWords()) }
        judgement.doubtWords().forEach { li("warn") { +unbroken(it) } }
        subject.record.trials.forEach { trial ->
            trial.reason()?.let { li("warn") { +"${subject.title(trial.stack)}: ${sentence(it)}" } }
        }
    }
    if (judgement.places.isNotEmpty()) {
        figure("map-panels") {
            unsafe { raw(mapPanels(subject.record, judgement, page = "")) }
        }
    }
}

/**
 * The panels of a map as pictures beside each other, whose places lead to their figures in the report [page]; an empty
 * one is this page. There must be a place.
 */
internal fun mapPanels(record: Record, judgement: MapJudgement, page: String): String = buildString {
    MapPicture(record, judgement, { work, users -> "$page#${anchor(work, users)}" })
        .drawApart(appendHTML(prettyPrint = false, xhtmlCompatible = true))
}

private fun FlowContent.laws(judgement: MapJudgement) {
    val known = judgement.stacks.filter { it.law != null }
    if (known.isEmpty()) return
    section {
        id = "law"
        attributes["aria-labelledby"] = "law-title"
        h2 { id = "law-title"; +"Numbers of a stack" }
        p {
            +"N users who each wait w for an answer get at most N ÷ (w + what a request takes alone), at most 1 ÷ CPU "
            +"time, and at most as many as are handled at a time ÷ (w + CPU time). The smallest holds. CPU time grows "
            +"with the requests that are inside."
        }
        ul {
            known.forEach { (_, title, _, law) ->
                li { strong { +title }; +": ${unbroken(checkNotNull(law).words())}" }
            }
        }
    }
}

private fun FlowContent.places(subject: ReportContext, judgement: MapJudgement) = section {
    id = "places"
    attributes["aria-labelledby"] = "places-title"
    h2 { id = "places-title"; +"All places" }
    div("scroll") {
        scrollable("All places")
        table("dense") {
            caption { +"By work and users. Shares are of the fastest stack's throughput there, with 95 % intervals." }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Work" }
                    listOf("Users", "Rounds").forEach { th(scope = ThScope.col, classes = "number") { +it } }
                    listOf("Stack", "Fits").forEach { th(scope = ThScope.col) { +it } }
                    listOf("Answers/s", "Share", "p50, ms", "p99, ms", "CPU, µs", "Memory", "Failed", "By the law")
                        .forEach { th(scope = ThScope.col, classes = "number") { +it } }
                    th(scope = ThScope.col) { +"Held by" }
                }
            }
            tbody { judgement.places.forEach { place -> rows(subject, judgement, place) } }
        }
    }
}

private fun TBODY.rows(subject: ReportContext, judgement: MapJudgement, place: MapPlace) =
    place.stacks.forEachIndexed { index, found ->
        tr {
            if (index == 0) id = anchor(place.work, place.users)
            th(scope = ThScope.row) { +unbroken(judgement.question.workWords(place.work)) }
            td("number") { +number(place.users) }
            td("number") { +number(found.rounds) }
            td { +subject.title(found.stack) }
            td { fit(found) }
            figures(found).forEach { td("number") { +it } }
            td { +(found.heldAt?.let { "${number(it)} at a time, by a setting" } ?: "") }
        }
    }

private fun FlowContent.fit(found: StackAtPlace) = when (found.fit) {
    Fit.YES -> span("validity kept") { +"✓ fits" }
    Fit.NO -> span("validity invalid") { +"× no" }
    Fit.OPEN -> span("validity suspect") { +"? open" }
}

private fun figures(found: StackAtPlace): List<String> {
    val share = found.share
    val interval = if (share.low == share.high) "" else " (${percent(share.low)} to ${percent(share.high)})"
    return listOf(
        number(found.perSecond), percent(share.value) + interval.takeIf { share.high < MANY }.orEmpty(),
        number(found.p50Millis), number(found.p99Millis),
        found.cpuMicrosPerRequest?.let { number(it) } ?: NOTHING, found.memoryBytes?.let(::megabytes) ?: NOTHING,
        percent(found.failedShare), found.predictedPerSecond?.let { number(it) } ?: NOTHING,
    )
}

private val CONTENTS = listOf(
    "answer" to "Map", "law" to "Law", "places" to "All places", "start" to "Start", "machine" to "Machine",
)

internal fun anchor(work: Int, users: Int) = "place-$work-$users"

/** The interval of a place that has one round and nothing to compare it with. */
private const val MANY = 1e6

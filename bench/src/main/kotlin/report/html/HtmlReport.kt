package threadgauge.report.html

import kotlinx.html.ButtonType
import kotlinx.html.FlowContent
import kotlinx.html.HEAD
import kotlinx.html.a
import kotlinx.html.button
import kotlinx.html.div
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.link
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.style
import kotlinx.html.title
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.html.flame.flameData
import threadgauge.report.html.section.doubtsSection
import threadgauge.report.html.section.environmentSection
import threadgauge.report.html.section.howToRead
import threadgauge.report.html.section.settingsSection
import threadgauge.report.html.section.startSection
import threadgauge.report.html.section.trialsSection
import threadgauge.report.regression.title
import threadgauge.report.site.Published

/**
 * The report as one self-contained HTML document: styles, script, chart library and data are embedded, and its content
 * security policy forbids loading anything. It opens without a network.
 *
 * [flames] are the flame graphs of its profiles, if there are any. [published] is null for a report that is not a page
 * of a site. All text of [record] and [judgement] is escaped,
 * because records may come from third parties.
 */
fun htmlReport(
    record: Record,
    judgement: Judgement,
    flames: List<StackFlames> = emptyList(),
    published: Published? = null,
): String {
    val subject = ReportContext(record, judgement, flames, published)
    val scripts = if (subject.flames.isEmpty) emptyList() else listOf("flames.js")
    return reportPage(subject, contents(subject), scripts, { flameData(subject.flames) }) {
        answerSection(subject)
        decisionTable(subject)
        howToRead()
        subject.judgement.situations.forEachIndexed { index, situation -> situationSection(subject, situation, index) }
        doubtsSection(subject)
        startSection(subject)
        settingsSection(subject)
        environmentSection(subject)
        trialsSection(subject)
    }
}

internal fun HEAD.documentHead(subject: ReportContext) = documentHead(subject.judgement.question)

internal fun HEAD.documentHead(name: String) {
    meta(charset = "utf-8")
    meta(name = "viewport", content = "width=device-width, initial-scale=1")
    meta(name = "color-scheme", content = "light dark")
    meta(content = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:") {
        httpEquiv = "Content-Security-Policy"
    }
    link(rel = "icon", href = "data:,")
    title("$name · Threadgauge")
    style { unsafe { STYLES.forEach { raw(resource("/threadgauge/report/$it")) } } }
}

internal fun FlowContent.topBar(subject: ReportContext, contents: List<Pair<String, String>>) {
    val cores = count(subject.record.environment.cores, "core")
    topBar("measured ${day(subject.record.startedAt)} on $cores", contents)
}

/** With [note] beside the name of the program, and links to [contents] by their anchors. */
internal fun FlowContent.topBar(note: String, contents: List<Pair<String, String>>) {
    brand(note)
    nav {
        attributes["aria-label"] = "On this page"
        ul {
            contents.forEach { (anchor, words) -> li { a(href = "#$anchor") { +words } } }
        }
    }
    themeButton()
}

/** The name of the program, with [note] beside it. */
internal fun FlowContent.brand(note: String) {
    div("brand") {
        drawing("svg", "viewBox" to "0 0 28 20", "width" to "28", "height" to "20", "aria-hidden" to "true") {
            drawing("path", "d" to "M2 2h24v8l-2 8l-2-8l-2 8l-2-8l-2 8l-2-8l-2 8l-2-8l-2 8l-2-8l-2 8l-2-8z")
        }
        span("brand-name") { +"Threadgauge" }
        span("brand-note") { +note }
    }
}

/** `report.js` gives it its function. */
internal fun FlowContent.themeButton() {
    button(type = ButtonType.button, classes = "theme") {
        id = "theme"
        attributes["aria-pressed"] = "false"
        +"Dark"
    }
}

internal fun FlowContent.closing(subject: ReportContext) {
    p {
        +"Record "
        span("code") { +subject.record.id }
        +", written by Threadgauge ${subject.record.environment.threadgauge}. "
        +"This page was made from the record alone and loads nothing from a network."
    }
    subject.published?.let { published ->
        p {
            a(href = published.data) { +"Data" }
            +". To ask it again: "
            span("code") { +published.command }
        }
    }
}

/** The parts that the report has, with their anchors. */
private fun contents(subject: ReportContext): List<Pair<String, String>> = listOfNotNull(
    ("advice" to "Advice").takeIf { subject.record.plan.advice != null },
    ("claims" to "Claims").takeIf { subject.judgement.claims.isNotEmpty() },
    ("goals" to "Goals").takeIf { subject.judgement.goals.isNotEmpty() },
    "answer" to "Answer",
    situationId(0) to "Figures",
    ("doubts" to "Doubts").takeIf { subject.judgement.causes.isNotEmpty() },
    "start" to "Start and warm-up",
    "settings" to "Settings",
    "machine" to "Machine",
    "trials" to "All trials",
)

/** In this order: later style sheets override earlier ones. */
internal val STYLES = listOf("style.css", "parts.css", "flames.css", "screens.css")

/** The date of an ISO instant; any other text is returned as it is. */
internal fun day(instant: String): String = instant.substringBefore('T')

/** Date and time of an ISO [instant]: "2026-11-22 20:04 UTC". */
internal fun minute(instant: String): String = "${day(instant)} ${instant.substringAfter('T').take(5)} UTC"

/** Without the reference to a source map, which developer tools would try to load. */
internal val chartLibrary: String by lazy {
    resource("/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.js").substringBefore("//# sourceMappingURL")
}

internal fun resource(path: String): String =
    checkNotNull(ReportContext::class.java.getResourceAsStream(path)) { "$path is missing from the class path" }
        .use { it.readBytes().decodeToString() }

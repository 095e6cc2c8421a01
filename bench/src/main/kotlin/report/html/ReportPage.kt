package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.footer
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.lang
import kotlinx.html.main
import kotlinx.html.script
import kotlinx.html.stream.appendHTML
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.report.format.ReportContext
import threadgauge.report.html.chart.chartJson
import threadgauge.report.site.Published

/**
 * The report of a run as one self-contained document with this [main] part, which begins with the anchor `answer`.
 * [contents] are its parts by anchor; [scripts] are resources besides those that every report has, and [data] is what
 * they read.
 */
internal fun reportPage(
    subject: ReportContext,
    contents: List<Pair<String, String>>,
    scripts: List<String> = emptyList(),
    data: FlowContent.() -> Unit = {},
    main: MAIN.() -> Unit,
): String = buildString {
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead(subject) }
        body {
            a(href = "#answer", classes = "skip") { +"Skip to the answer" }
            header("top") { topBar(subject, contents) }
            main(block = main)
            footer { closing(subject) }
            jsonData("chart-data", chartJson(subject))
            data()
            script { unsafe { raw(chartLibrary) } }
            (listOf("report.js") + scripts).forEach { script { unsafe { raw(resource("/threadgauge/report/$it")) } } }
        }
    }
    append('\n')
}

/** The context of a report whose judgement is of another kind, and so has no verdicts of situations. */
internal fun withoutVerdicts(record: Record, published: Published? = null): ReportContext {
    val question = record.plan.experiment.question
    val none = Judgement(record.id, question, record.state, indicative = false, emptyList())
    return ReportContext(record, none, published = published)
}

/** [json], which has no `<`, for the script that looks for the element [name]. */
internal fun FlowContent.jsonData(name: String, json: String) = script(type = "application/json") {
    attributes["id"] = name
    unsafe { raw(json) }
}

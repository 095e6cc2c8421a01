package threadgauge.report.regression

import kotlin.math.exp
import kotlinx.html.DL
import kotlinx.html.FlowContent
import kotlinx.html.P
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import threadgauge.model.Record
import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.plainPercent
import threadgauge.report.format.unbroken
import threadgauge.report.html.doubtList
import threadgauge.report.html.flame.FlamePage
import threadgauge.report.html.flame.flameData
import threadgauge.report.html.flame.flameGraph
import threadgauge.report.html.flame.flameHelp
import threadgauge.report.html.minute
import threadgauge.report.html.ratioDecimals
import threadgauge.report.html.ratioStrip
import threadgauge.report.html.reachOf
import threadgauge.report.html.validityWord
import threadgauge.report.runs.RunLinks
import threadgauge.report.runs.offlinePage
import threadgauge.report.runs.servedPage
import threadgauge.wording.regression.basisWords
import threadgauge.wording.regression.question
import threadgauge.wording.regression.sentences
import threadgauge.wording.regression.words

/** A side of a comparison of two runs: the record in [folder], the name of its folder in the list of runs. */
class ComparedRun(val folder: String, val record: Record)

/** Two runs side by side: the answer and the figures of `compare`, and [flames] of the difference. */
fun changeHtml(
    comparison: RecordComparison,
    base: ComparedRun,
    new: ComparedRun,
    flames: List<StackFlames> = emptyList(),
): String {
    val page = FlamePage(flames)
    return servedPage("${new.folder} against ${base.folder}", "two runs side by side", here = "", skipTo = "answer") {
        sideBySide(comparison, base, new, page) { a(href = RunLinks.report(it.folder)) { +it.folder } }
        p { a(href = RunLinks.compare(base = new.folder, new = base.folder)) { +"The other way round" } }
    }
}

/** The same as a file of its own, which loads nothing and links to nothing. A side may be several runs of one plan. */
fun changeDocument(
    comparison: RecordComparison,
    base: Record,
    new: Record,
    flames: List<StackFlames> = emptyList(),
): String {
    val (old, other) = listOf(comparison.base to base, comparison.new to new)
        .map { (names, record) -> ComparedRun(names.joinToString(), record) }
    return offlinePage("${other.folder} against ${old.folder}", "two builds", skipTo = "answer") {
        sideBySide(comparison, old, other, FlamePage(flames)) { +it.folder }
    }
}

private fun FlowContent.sideBySide(
    comparison: RecordComparison,
    base: ComparedRun,
    new: ComparedRun,
    page: FlamePage,
    name: P.(ComparedRun) -> Unit,
) {
    section("answer") {
        id = "answer"
        h1 { +comparison.question() }
        div("sentences") { p { +unbroken(comparison.words()) } }
        p { +unbroken(comparison.basisWords()) }
        div("sides") {
            side("Base", base, name)
            side("New", new, name)
        }
        if (comparison.notCompared.isNotEmpty()) {
            h2("quiet") { +"Not compared" }
            ul { comparison.notCompared.forEach { li { +it.words() } } }
        }
        if (comparison.doubts.isNotEmpty()) {
            h2("quiet") { +"Doubts" }
            doubtList(comparison.doubts)
        }
    }
    comparison.changes.groupBy { it.cell }.forEach { (cell, changes) ->
        section {
            h2 { +cell }
            figures(changes, comparison.margin)
            val doubts = changes.flatMap { it.doubts }.distinct()
            if (doubts.isNotEmpty()) {
                val validity = validityWord(changes.maxOf { it.validity })
                p {
                    span("validity $validity") { +validity }
                    +" ${count(doubts.size, "doubt")}, explained in the reports: ${doubts.joinToString()}"
                }
            }
            comparison.causesOf(changes)?.let { causes(it, page) }
        }
    }
    flameData(page)
}

/** What changed, and the flame graphs of the difference. */
private fun FlowContent.causes(change: CauseChange, page: FlamePage) {
    ul { change.sentences().forEach { li { +unbroken(it) } } }
    val graphs = page.of(change.situation, change.stack)
    if (graphs.isEmpty()) return
    details {
        summary { +"Flame graphs of the difference" }
        flameHelp(isDifference = true)
        graphs.forEach { flameGraph(it, page.indexOf(it), change.stack) }
    }
}

private fun FlowContent.side(title: String, run: ComparedRun, name: P.(ComparedRun) -> Unit) = div("side") {
    val record = run.record
    p("side-title") {
        span("small") { +title }
        +" "
        name(run)
        record.plan.savedAs?.let { span("saved") { +it } }
    }
    dl("facts") {
        fact("Experiment", record.plan.experiment.name)
        fact("Measured", minute(record.startedAt))
        fact("Trials", "${record.plan.experiment.trials} of each stack")
        fact("Machine", "${record.environment.cpu}, ${count(record.environment.cores, "core")}")
        fact("Kernel", record.environment.kernel)
        fact("Java", record.trials.firstNotNullOfOrNull { it.runtime?.java } ?: record.environment.java)
        fact("Threadgauge", record.environment.threadgauge)
    }
}

private fun DL.fact(name: String, value: String) {
    dt { +name }
    dd { +value }
}

private fun FlowContent.figures(changes: List<Change>, margin: Double) {
    val reach = reachOf(changes.flatMap { listOfNotNull(it.low, it.ratio, it.high) }, margin)
    table("changes") {
        caption {
            +"Ratios with their intervals, 95 % for all gated figures together. Grey band: the margin, "
            +"${plainPercent(margin)}. Gated figures, in bold, decide the answer."
        }
        thead {
            tr {
                th(scope = ThScope.col) { +"Figure" }
                listOf("base", "new", "new ÷ base").forEach { th(scope = ThScope.col, classes = "number") { +it } }
                th(scope = ThScope.col, classes = "ratio-plot") {
                    span("scale") {
                        span { +number(exp(-reach), 2) }
                        span { +"1" }
                        span { +number(exp(reach), 2) }
                    }
                }
                th(scope = ThScope.col) { +"new is" }
            }
        }
        tbody { changes.forEach { change(it, reach, margin) } }
    }
}

private fun TBODY.change(change: Change, reach: Double, margin: Double) = tr(if (change.gated) "gated" else null) {
    th(scope = ThScope.row) { +change.title }
    listOf("base" to change.base, "new" to change.new).forEach { (side, value) ->
        td("number") {
            attributes["data-label"] = side
            +change.text(value)
        }
    }
    td("number") {
        attributes["data-label"] = "new ÷ base"
        val decimals = ratioDecimals(change.ratio)
        span("median") { +"${number(change.ratio, decimals)}×" }
        val low = change.low
        val high = change.high
        span("interval") {
            +(if (low == null || high == null) "no interval" else "${number(low, decimals)}–${number(high, decimals)}")
        }
    }
    td("ratio-plot") { ratioStrip(change.ratio, change.low, change.high, reach, margin) }
    td("outcome ${change.outcome.name.lowercase().replace('_', '-')}") {
        +"${change.outcome.sign} ${change.outcome.words}"
    }
}

private val ChangeOutcome.sign: String
    get() = when (this) {
        ChangeOutcome.BETTER -> "▲"
        ChangeOutcome.SAME -> "="
        ChangeOutcome.NOT_WORSE -> "≥"
        ChangeOutcome.WORSE -> "▼"
        ChangeOutcome.CANNOT_TELL -> "?"
    }

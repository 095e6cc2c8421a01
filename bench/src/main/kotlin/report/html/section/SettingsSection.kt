package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.RuntimeReport
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.megabytes
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** A setting of all stacks, in their order; null where a stack did not report it. */
internal class SettingRow(val name: String, val values: List<String?>) {
    val kind: SettingKind
        get() = when {
            values.filterNotNull().distinct().size > 1 -> SettingKind.DIFFERS
            null in values -> SettingKind.PARTLY
            else -> SettingKind.SAME
        }
}

internal enum class SettingKind(val words: String) { DIFFERS("differs"), PARTLY("missing in some"), SAME("same") }

/**
 * Settings as the processes report them, differences first, because an unequal setting may explain the result.
 */
internal fun FlowContent.settingsSection(subject: ReportContext) = section {
    id = "settings"
    attributes["aria-labelledby"] = "settings-title"
    h2 { id = "settings-title"; +"Settings side by side" }
    val reports = subject.stacks.mapNotNull { stack ->
        val trials = subject.trials(stack)
        val told = trials.firstNotNullOfOrNull { it.runtime }?.let { facts(it) }
        (told ?: trials.firstOrNull { it.facts.isNotEmpty() }?.facts)?.let { stack to it }
    }
    if (reports.isEmpty()) return@section p { +"No stack reported its settings." }
    val rows = settingRows(reports.map { it.second })
    val differing = rows.count { it.kind == SettingKind.DIFFERS }
    p {
        +"As the running processes reported them, or as observed from outside. "
        +if (differing == 0) "The stacks have the same settings." else "Settings that differ come first."
    }
    div("scroll") {
        scrollable("Settings side by side")
        table("settings") {
            caption { +"Effective settings of each stack" }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Setting" }
                    th(scope = ThScope.col) { +"Equal?" }
                    reports.forEach { (stack, _) ->
                        th(scope = ThScope.col) { markSign(subject.mark(stack)); +subject.title(stack) }
                    }
                }
            }
            tbody { rows.forEach { row -> tr(row.kind.name.lowercase()) { settingCells(row) } } }
        }
    }
}

private fun TR.settingCells(row: SettingRow) {
    th(scope = ThScope.row) { +row.name }
    td("kind") {
        span("sign") { attributes["aria-hidden"] = "true"; +if (row.kind == SettingKind.SAME) "=" else "≠" }
        +row.kind.words
    }
    row.values.forEach { td { if (it == null) span("none") { +NOTHING } else +it } }
}

/** Differing settings first, then those that some stacks lack, then equal ones; alphabetically within each kind. */
internal fun settingRows(facts: List<Map<String, String>>): List<SettingRow> = facts.flatMap { it.keys }.distinct()
    .map { name -> SettingRow(name, facts.map { it[name] }) }
    .sortedWith(compareBy({ it.kind }, { it.name }))

internal fun facts(report: RuntimeReport): Map<String, String> = buildMap {
    put("framework", report.framework)
    put("engine", report.engine)
    put("concurrency model", report.model.words)
    put("handler thread is virtual", if (report.handlerThread.virtual) "yes" else "no")
    put("Java", report.java)
    put("processors", report.processors.toString())
    put("garbage collectors", report.collectors.joinToString())
    put("maximum heap", megabytes(report.heapMaxBytes))
    report.concurrencyLimits.forEach { (endpoint, limit) -> put("handler threads for $endpoint", number(limit)) }
    putAll(report.settings)
}

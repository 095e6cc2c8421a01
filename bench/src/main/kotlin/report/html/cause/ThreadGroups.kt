package threadgauge.report.html.cause

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.RoleGroup
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.html.chart.scrollable
import threadgauge.wording.cause.words

/** The groups of threads with their roles, those with the same role side by side. */
internal fun FlowContent.threadGroups(cell: CellJudgement, because: Because) {
    if (because.roles.isEmpty()) return
    div("scroll") {
        scrollable("Threads of ${cell.title}")
        table("parts") {
            caption { +"Groups of threads by role. Busy: running, ready to run, or waiting within a request." }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Threads" }
                    th(scope = ThScope.col) { +"Role" }
                    th(scope = ThScope.col, classes = "number") { +"Number" }
                    th(scope = ThScope.col, classes = "number") { +"Share of CPU" }
                    th(scope = ThScope.col, classes = "number") { +"Busy" }
                    th(scope = ThScope.col) { +"Longest wait" }
                }
            }
            tbody { because.roles.sortedBy { it.role }.forEach { groupRow(it) } }
        }
    }
}

private fun TBODY.groupRow(group: RoleGroup) = tr {
    th(scope = ThScope.row, classes = "code") { +group.name.ifEmpty { NOTHING } }
    td { +group.role.words }
    td("number") { +number(group.threads) }
    td("number") { +(group.cpuShare?.let(::percent) ?: NOTHING) }
    td("number") { +(group.busyShare?.let(::percent) ?: NOTHING) }
    td { +(group.longestWait?.let { "${percent(it.share)} ${it.words()}" } ?: NOTHING) }
}

package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.notation
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.VerdictTag
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.html.situationId
import threadgauge.wording.goal.intervalOf
import threadgauge.wording.goal.summary
import threadgauge.wording.goal.text
import threadgauge.wording.goal.verdictWords
import threadgauge.wording.goal.why

/** The verdict on each goal with its figure. Nothing where the experiment has no goals. */
internal fun FlowContent.goals(subject: ReportContext) {
    val goals = subject.judgement.goals.ifEmpty { return }
    h2 { id = "goals"; +"Goals" }
    p { +"Of the goals, ${goals.summary()}." }
    div("scroll") {
        scrollable("Goals")
        table("claim-figures") {
            caption { +"A goal is kept or broken if the whole 95 % interval is on that side of its limit." }
            thead {
                tr { HEADINGS.forEach { th(scope = ThScope.col) { +it } } }
            }
            tbody { goals.forEach { tr { goal(subject, it) } } }
        }
    }
}

private fun TR.goal(subject: ReportContext, judged: GoalJudgement) {
    th(scope = ThScope.row) {
        if (judged.stack in subject.stacks) markSign(subject.mark(judged.stack))
        +subject.title(judged.stack)
        val index = subject.judgement.situations.indexOfFirst { it.situation.name == judged.situation }
        if (index >= 0) a(href = "#${situationId(index)}", classes = "evidence") { +judged.situation }
    }
    td { +judged.goal.notation() }
    td("number") {
        val figure = judged.figure
        span("median") { +(figure?.let { unbroken(judged.goal.text(it.value)) } ?: "not measured") }
        figure?.intervalOf(judged.goal)?.let { span("interval") { +unbroken(it) } }
    }
    td {
        val tag = tag(judged)
        span("tag ${tag.style}") {
            span("sign") { attributes["aria-hidden"] = "true"; +tag.sign }
            +tag.words
        }
        judged.why()?.let { p { +unbroken(it) } }
    }
}

private fun tag(judged: GoalJudgement): VerdictTag = when (judged.verdict) {
    GoalVerdict.KEPT -> VerdictTag("✓", judged.verdictWords, "fits")
    GoalVerdict.BROKEN -> VerdictTag("✗", judged.verdictWords, "refuted")
    GoalVerdict.CANNOT_TELL -> VerdictTag("?", judged.verdictWords, "unsure")
}

private val HEADINGS = listOf("Server and situation", "Goal", "Measured", "Verdict")

package threadgauge.report.html.cause

import kotlinx.html.FlowContent
import kotlinx.html.li
import kotlinx.html.span
import kotlinx.html.ul
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.markSign
import threadgauge.wording.cause.becauseLines

/** Why each stack is as fast as it is, below the verdict; of more than [max] the first and the last. */
internal fun FlowContent.becauseList(
    subject: ReportContext,
    judged: SituationJudgement,
    max: Int = Int.MAX_VALUE,
) {
    val lines = judged.becauseLines(max)
    if (lines.isEmpty()) return
    ul("because") {
        attributes["aria-label"] = "Reasons, the stack with the highest rank first"
        lines.forEach {
            li {
                markSign(subject.mark(it.stack))
                span { +"${subject.title(it.stack)}: ${unbroken(it.words)}" }
            }
        }
    }
}

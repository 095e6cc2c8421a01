package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import threadgauge.model.judgement.GoalJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.notation
import threadgauge.wording.counted
import threadgauge.wording.goal.measured
import threadgauge.wording.goal.summary
import threadgauge.wording.goal.why
import threadgauge.wording.goal.words

/** Each goal for a terminal: its verdict, the stack, and the figure with its interval. */
internal fun VerticalLayoutBuilder.goals(judgement: Judgement) {
    val goals = judgement.goals
    if (goals.isEmpty()) return
    paragraph(bold("Goals") + ": ${goals.summary()}")
    val isFolded = goals.size > MAX_GOALS
    val shown = if (isFolded) goals.filter { it.verdict != GoalVerdict.KEPT } else goals
    shown.groupBy { it.situation }.forEach { (situation, its) ->
        paragraph(dim(situation))
        its.forEach { hanging(mark(it), line(it), MARK_WIDTH) }
    }
    val folded = goals.size - shown.size
    if (folded > 0) paragraph(dim("${counted(folded.toLong(), "goal")} kept; the report shows the figures."))
}

private fun mark(goal: GoalJudgement): String =
    if (goal.verdict == GoalVerdict.KEPT) goal.verdict.words else yellow(bold(goal.verdict.words))

private fun line(goal: GoalJudgement): String {
    val figure = goal.measured()?.let { ": $it" }.orEmpty()
    val why = goal.why()?.let { ". $it" }.orEmpty()
    return "${goal.stack}, ${goal.goal.notation()}$figure$why"
}

/** Of more goals, only those that were not kept are printed. */
private const val MAX_GOALS = 12

/** As wide as "cannot tell". */
private const val MARK_WIDTH = 11

package threadgauge.report.terminal

import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import threadgauge.model.judgement.SituationJudgement
import threadgauge.wording.cause.becauseLines

/**
 * Why the stacks are as fast as they are, a line for each; where several situations share the screen, for the first and
 * the last. Nothing without profiles.
 */
internal fun VerticalLayoutBuilder.because(judged: SituationJudgement, isAlone: Boolean) {
    judged.becauseLines(if (isAlone) MAX_LINES else MAX_LINES_OF_SEVERAL)
        .forEach { hanging("-", "${it.stack}: ${it.words}", 1) }
}

private const val MAX_LINES = 4
private const val MAX_LINES_OF_SEVERAL = 2

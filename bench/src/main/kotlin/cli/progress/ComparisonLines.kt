package threadgauge.cli.progress

import java.util.Locale
import threadgauge.judge.judge
import threadgauge.model.Record
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.halfWidth
import threadgauge.stats.MIN_TRIALS
import threadgauge.wording.percent

/**
 * How far each comparison with the best stack is from being told, after each block of a run in rounds. Empty for any
 * other run.
 */
internal fun comparisonLines(record: Record): List<String> {
    if (record.plan.rounds == null) return emptyList()
    return judge(record).situations.flatMap { judged ->
        val best = judged.cells.maxByOrNull { it.throughput?.value ?: 0.0 }?.stack
        judged.comparisons.filter { it.rounds != null && (it.stack == best || it.other == best) }
            .map { "  ${judged.situation.name.padEnd(SITUATION_WIDTH)} ${line(it)}" }
    }
}

private fun line(comparison: Comparison): String {
    val pair = "${comparison.stack} ÷ ${comparison.other}"
    val ratio = "%.3f".format(Locale.ROOT, comparison.ratio)
    val low = comparison.low
    val high = comparison.high
    val halfWidth = comparison.halfWidth
    if (low == null || high == null || halfWidth == null) {
        val missing = MIN_TRIALS - (comparison.rounds?.blocks?.size ?: 0)
        return "$pair  $ratio, an interval needs $missing more ${if (missing == 1) "block" else "blocks"}"
    }
    val interval = "(%.3f to %.3f)".format(Locale.ROOT, low, high)
    return "$pair  $ratio $interval, ± ${percent(halfWidth)}${said(comparison.outcome)}"
}

private fun said(outcome: ComparisonOutcome) = when (outcome) {
    ComparisonOutcome.MORE -> ", told: more"
    ComparisonOutcome.LESS -> ", told: less"
    ComparisonOutcome.NO_DIFFERENCE -> ", told: no difference"
    ComparisonOutcome.CANNOT_TELL -> ""
}

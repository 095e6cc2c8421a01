package threadgauge.judge.verdict

import threadgauge.judge.compare.between
import threadgauge.judge.figure
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Cheapest
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome.LESS
import threadgauge.model.judgement.FailingStack
import threadgauge.model.judgement.Ranking
import threadgauge.model.judgement.Verdict
import threadgauge.stats.MIN_TRIALS

/**
 * The verdict on one situation. The highest throughput decides, by more than the margin. If all stacks serve the whole
 * of an open load, the lowest p99 latency decides. [ranking] is null where no stack has a valid figure. [planned] is
 * the number of planned stacks, [fewestTrials] the smallest number of trials of a ranked stack. [baselines] are empty
 * where all pairs were compared.
 */
internal fun verdict(ranking: Ranking?, planned: Int, fewestTrials: Int, baselines: Collection<String>): Verdict =
    when {
        ranking == null -> Verdict.CannotTell(CannotTellReason.NoValidFigure)
        planned == 1 -> Verdict.Alone(ranking.top)
        fewestTrials < MIN_TRIALS -> Verdict.Indicative(ranking)
        baselines.isNotEmpty() -> Verdict.BesideBaselines(baselines.distinct(), ranking)
        ranking.order.size == 1 -> Verdict.CannotTell(CannotTellReason.OnlyOne(ranking.top))
        ranking.isDecidedBySetting -> Verdict.DecidedBySetting(ranking)
        ranking.behind.isNotEmpty() -> Verdict.Fits(ranking)
        ranking.leadersAlike -> Verdict.NoDifference(ranking)
        else -> Verdict.CannotTell(CannotTellReason.Overlap(ranking))
    }

/** No stack is behind by its own speed: those behind, or all leaders, are at a ceiling. */
private val Ranking.isDecidedBySetting: Boolean
    get() {
        val held = held.map { it.stack }.toSet()
        val isHeld = behind.isEmpty() || behind.any { it.stack in held } || leaders.all { it in held }
        return by == Compared.THROUGHPUT && held.isNotEmpty() && isHeld
    }

/** The stack with the least of [of] among the ranked [cells], by more than the margin; null where there is none. */
internal fun cheapest(cells: List<CellJudgement>, of: Compared, comparisons: List<Comparison>): Cheapest? {
    val measured = cells.filter { (it.figure(of)?.value ?: 0.0) > 0 }.sortedBy { it.figure(of)!!.value }
    val least = measured.firstOrNull() ?: return null
    val others = measured.drop(1)
    if (others.isEmpty() || !others.all { comparisons.between(least.stack, it.stack) == LESS }) return null
    val next = others.first()
    return Cheapest(least.stack, least.figure(of)!!.value, next.stack, next.figure(of)!!.value)
}

/** The [cells] with too many failures to be compared, the worst first. */
internal fun failing(cells: List<CellJudgement>): List<FailingStack> = cells.filter { it.isFailing }
    .map { FailingStack(it.stack, it.errorShare!!.value) }.sortedByDescending { it.share }

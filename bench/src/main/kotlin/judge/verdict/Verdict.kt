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
 * The verdict on one situation. The highest throughput decides, if by more than the margin; where all serve the whole
 * of a load that has a rate of its own, the lowest p99 latency does. [ranking] is null where no stack has a valid
 * figure. [planned] is the number of stacks that were to be measured, [fewestTrials] the least that a ranked one has.
 * [baselines] are empty where every pair was compared.
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

/** Nobody is behind by their own speed: those behind, or all leaders, stand at a ceiling. */
private val Ranking.isDecidedBySetting: Boolean
    get() {
        val held = held.map { it.stack }.toSet()
        val isHeld = behind.isEmpty() || behind.any { it.stack in held } || leaders.all { it in held }
        return by == Compared.THROUGHPUT && held.isNotEmpty() && isHeld
    }

/**
 * The stack that surely needs least of what [of] names, among the [cells] that were ranked; null where there is none.
 */
internal fun cheapest(cells: List<CellJudgement>, of: Compared, comparisons: List<Comparison>): Cheapest? {
    val measured = cells.filter { (it.figure(of)?.value ?: 0.0) > 0 }.sortedBy { it.figure(of)!!.value }
    val least = measured.firstOrNull() ?: return null
    val others = measured.drop(1)
    if (others.isEmpty() || !others.all { comparisons.between(least.stack, it.stack) == LESS }) return null
    val next = others.first()
    return Cheapest(least.stack, least.figure(of)!!.value, next.stack, next.figure(of)!!.value)
}

/** Those of [cells] that failed too many requests for their figures to count, the worst first. */
internal fun failing(cells: List<CellJudgement>): List<FailingStack> = cells.filter { it.isFailing }
    .map { FailingStack(it.stack, it.errorShare!!.value) }.sortedByDescending { it.share }

package threadgauge.wording.verdict

import java.util.Locale
import kotlin.math.abs
import kotlin.math.ln
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.ComparisonOutcome.CANNOT_TELL
import threadgauge.model.judgement.ComparisonOutcome.LESS
import threadgauge.model.judgement.ComparisonOutcome.MORE
import threadgauge.model.judgement.ComparisonOutcome.NO_DIFFERENCE
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.wording.listed
import threadgauge.wording.words

/**
 * How the stacks differ from their baselines in throughput and cost, with intervals: a sentence for each baseline. The
 * first begins in small letters, and the last has no full stop.
 */
internal fun SituationJudgement.baselineWords(verdict: Verdict.BesideBaselines): String =
    verdict.baselines.joinToString(". Compared with ", prefix = "compared with ") { "$it: ${differences(it)}" }

/** How many stacks are worse than their baseline, and which is the worst. */
internal fun SituationJudgement.baselinesInShort(verdict: Verdict.BesideBaselines): String =
    verdict.baselines.joinToString("; ") { "compared with $it: ${mostCostly(it)}" }

private fun SituationJudgement.differences(baseline: String): String {
    val differing = (listOf(decidedBy) + COSTS).flatMap { of ->
        val (worse, better) = listOf(of.worse, of.better)
            .map { outcome -> beside(baseline, of).filter { it.outcome == outcome } }
        listOfNotNull(with(of.worse, of, worse), with(of.better, of, better))
    }
    val main = beside(baseline, decidedBy)
    val alike = main.filter { it.outcome == NO_DIFFERENCE }.map(::short)
    val unclear = main.filter { it.outcome == CANNOT_TELL }.map(::short)
    val others = listOfNotNull(
        "the same ${decidedBy.words} with ${listed(alike)}".takeIf { alike.isNotEmpty() },
        "cannot tell whether ${decidedBy.words} differs with ${listed(unclear)}".takeIf { unclear.isNotEmpty() },
        NOTHING.takeIf { main.isEmpty() },
    )
    return (differing + others).joinToString("; ")
}

private fun with(outcome: ComparisonOutcome, of: Compared, differing: List<Comparison>): String? =
    if (differing.isEmpty()) null else
        "${outcome.amount} ${of.words} with " + listed(differing.map { "${short(it)} ${ratioText(it)}" })

private fun SituationJudgement.mostCostly(baseline: String): String {
    val all = beside(baseline, decidedBy)
    val costs = (listOf(decidedBy) + IN_SHORT).mapNotNull { of ->
        val costly = beside(baseline, of).filter { it.outcome == of.worse }
        val most = costly.firstOrNull() ?: return@mapNotNull null
        val whose = "${short(most)} (${"%.2f".format(Locale.ROOT, most.ratio)} times)"
        val many = if (costly.size == 1) whose else "${costly.size} of ${all.size}, the most with $whose"
        "${of.worse.amount} ${of.words} with $many"
    }
    return when {
        all.isEmpty() -> NOTHING
        costs.isEmpty() -> "no cost found for ${listed(all.map(::short))}"
        else -> costs.joinToString(", ")
    }
}

/** The comparisons with [baseline], the largest difference first. */
private fun SituationJudgement.beside(baseline: String, of: Compared): List<Comparison> =
    (comparisons + otherComparisons).filter { it.of == of && it.other == baseline }
        .sortedByDescending { abs(ln(it.ratio)) }

/** The name, or "+tls" alone where the baseline is the same stack with other options or none. */
private fun short(comparison: Comparison): String {
    val plain = comparison.other.substringBefore('+')
    return if (comparison.stack.startsWith("$plain+")) comparison.stack.removePrefix(plain) else comparison.stack
}

private val COSTS = listOf(Compared.CPU, Compared.MEMORY, Compared.ALLOCATED)
private val IN_SHORT = listOf(Compared.CPU, Compared.ALLOCATED)
private const val NOTHING = "nothing could be compared"

private val Compared.worse get() = if (moreIsBetter) LESS else MORE
private val Compared.better get() = if (moreIsBetter) MORE else LESS
private val ComparisonOutcome.amount get() = if (this == MORE) "more" else "less"

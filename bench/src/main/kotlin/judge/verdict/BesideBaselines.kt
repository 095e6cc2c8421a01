package threadgauge.judge.verdict

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
import threadgauge.wording.listed

/**
 * What stacks serve less of and need more of than their [baselines], which is another question than who serves most. [pairs] have a
 * baseline as [Comparison.other]; the verdict is given [by] one of their figures, and costs are told besides.
 */
internal class BesideBaselines(
    private val baselines: Map<String, String>,
    private val pairs: Map<Compared, List<Comparison>>,
    private val by: Compared,
) {
    /** All that was told, with intervals: a sentence for each baseline, without the first one's beginning and the last one's full stop. */
    val words = baselines.values.distinct().joinToString(". Beside ", prefix = "beside ") { "$it: ${told(it)}" }

    /** How many cost something, and which of them costs most. */
    val inShort = baselines.values.distinct().joinToString("; ") { "beside $it: ${mostCostly(it)}" }

    private fun told(baseline: String): String {
        val differing = (listOf(by) + COSTS).flatMap { of ->
            val (worse, better) = listOf(of.worse, of.better).map { outcome -> beside(baseline, of).filter { it.outcome == outcome } }
            listOfNotNull(with(of.worse, of, worse), with(of.better, of, better))
        }
        val alike = beside(baseline, by).filter { it.outcome == NO_DIFFERENCE }.map(::short)
        val untold = beside(baseline, by).filter { it.outcome == CANNOT_TELL }.map(::short)
        val others = listOfNotNull(
            "the same ${by.words} with ${listed(alike)}".takeIf { alike.isNotEmpty() },
            "${by.words} cannot be told with ${listed(untold)}".takeIf { untold.isNotEmpty() },
            NOTHING.takeIf { beside(baseline, by).isEmpty() },
        )
        return (differing + others).joinToString("; ")
    }

    private fun with(outcome: ComparisonOutcome, of: Compared, told: List<Comparison>): String? =
        if (told.isEmpty()) null else "${outcome.amount} ${of.words} with " + listed(told.map { "${short(it)} ${ratioText(it)}" })

    private fun mostCostly(baseline: String): String {
        val all = beside(baseline, by)
        val costs = (listOf(by) + IN_SHORT).mapNotNull { of ->
            val told = beside(baseline, of).filter { it.outcome == of.worse }
            val most = told.firstOrNull() ?: return@mapNotNull null
            val whose = "${short(most)} (${"%.2f".format(Locale.ROOT, most.ratio)} times)"
            val many = if (told.size == 1) whose else "${told.size} of ${all.size}, most with $whose"
            "${of.worse.amount} ${of.words} with $many"
        }
        return when {
            all.isEmpty() -> NOTHING
            costs.isEmpty() -> "no cost could be told of ${listed(all.map(::short))}"
            else -> costs.joinToString(", ")
        }
    }

    /** Those that differ most first. */
    private fun beside(baseline: String, of: Compared) =
        pairs.getValue(of).filter { it.other == baseline }.sortedByDescending { abs(ln(it.ratio)) }

    /** "+tls" beside a baseline that is the same stack with other options, or with none. */
    private fun short(comparison: Comparison): String {
        val plain = comparison.other.substringBefore('+')
        return if (comparison.stack.startsWith("$plain+")) comparison.stack.removePrefix(plain) else comparison.stack
    }

    private companion object {
        val COSTS = listOf(Compared.CPU, Compared.MEMORY, Compared.ALLOCATED)
        val IN_SHORT = listOf(Compared.CPU, Compared.ALLOCATED)
        const val NOTHING = "nothing could be compared"

        val Compared.worse get() = if (moreIsBetter) LESS else MORE
        val Compared.better get() = if (moreIsBetter) MORE else LESS
        val ComparisonOutcome.amount get() = if (this == MORE) "more" else "less"
    }
}

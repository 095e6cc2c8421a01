package threadgauge.wording.verdict

import java.util.Locale
import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.Lead
import threadgauge.model.judgement.Ranking
import threadgauge.wording.whole

/** Parts of sentences about a ranking. They depend on the figure that ranks. */
internal sealed interface RankingWords {
    /** There is no difference between the stacks. */
    val noDifference: String

    /** The leaders cannot be told apart. */
    val cannotTell: String

    fun leads(stack: String): String

    /** [ratio] is "1.83 times (1.46 to 2.25)". */
    fun lead(ratio: String, stack: String): String

    fun alike(stacks: List<String>): String
}

internal val Ranking.words: RankingWords get() = if (by == Compared.THROUGHPUT) ThroughputWords else LatencyWords

private data object ThroughputWords : RankingWords {
    override val noDifference = "there is no difference in throughput"
    override val cannotTell = "this run cannot tell which stack has the highest throughput"

    override fun leads(stack: String) = "$stack has the highest throughput"

    override fun lead(ratio: String, stack: String) = "$ratio that of $stack"

    override fun alike(stacks: List<String>) = verb(stacks, "has", "have") + " the same throughput"
}

private data object LatencyWords : RankingWords {
    override val noDifference = "all serve the whole load, and there is no difference in p99 latency"
    override val cannotTell =
        "all serve the whole load, and this run cannot tell which stack has the lowest p99 latency"

    override fun leads(stack: String) = "all serve the whole load, and $stack has the lowest p99 latency"

    override fun lead(ratio: String, stack: String) = "that of $stack is $ratio as high"

    override fun alike(stacks: List<String>) = verb(stacks, "has", "have") + " the same p99 latency"
}

/** How many trials are enough to tell the leaders apart. */
internal fun Ranking.neededToTell(): String = neededToTell(trialsToTell)

/** [trials] of each stack are enough; null: more than [MAX_TRIALS]. */
internal fun neededToTell(trials: Int?): String = "If trials go on to vary like this, " + when (trials) {
    null -> "even $MAX_TRIALS of each stack are too few. Use a longer load or a quieter machine."
    else -> "about $trials of each stack are enough."
}

internal fun verb(stacks: List<String>, one: String, many: String) = if (stacks.size == 1) one else many

/** "1.83 times (1.46 to 2.25)", "18.3 times (14.6 to 22.5)", "183 times (146 to 225)". */
internal fun ratioText(lead: Lead): String = ratioText(lead.ratio, lead.low, lead.high)

internal fun ratioText(comparison: Comparison): String = ratioText(comparison.ratio, comparison.low, comparison.high)

private fun ratioText(ratio: Double, low: Double?, high: Double?): String {
    fun text(value: Double) = when {
        ratio >= 100 -> whole(value)
        else -> (if (ratio >= 10) "%.1f" else "%.2f").format(Locale.ROOT, value)
    }
    val range = if (low == null || high == null) "" else " (${text(low)} to ${text(high)})"
    return "${text(ratio)} times$range"
}

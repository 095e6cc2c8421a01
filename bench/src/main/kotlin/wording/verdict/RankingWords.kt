package threadgauge.wording.verdict

import java.util.Locale
import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.Lead
import threadgauge.model.judgement.Ranking
import threadgauge.wording.whole

/** How a ranking is worded: that depends on the figure that ranks. */
internal sealed interface RankingWords {
    /** No stack differs from another. */
    val none: String

    /** No leader can be told. */
    val untold: String

    fun leads(stack: String): String

    /** [ratio] is "1.83 times (1.46 to 2.25)". */
    fun lead(ratio: String, stack: String): String

    fun alike(stacks: List<String>): String
}

internal val Ranking.words: RankingWords get() = if (by == Compared.THROUGHPUT) ThroughputWords else LatencyWords

private data object ThroughputWords : RankingWords {
    override val none = "there is no difference in throughput"
    override val untold = "this run cannot tell which serves most"

    override fun leads(stack: String) = "$stack serves most"

    override fun lead(ratio: String, stack: String) = "$ratio that of $stack"

    override fun alike(stacks: List<String>) = verb(stacks, "serves", "serve") + " the same"
}

private data object LatencyWords : RankingWords {
    override val none = "all serve the whole load, and there is no difference in p99 latency"
    override val untold = "all serve the whole load, and this run cannot tell which answers soonest"

    override fun leads(stack: String) = "all serve the whole load, and $stack answers soonest by p99 latency"

    override fun lead(ratio: String, stack: String) = "$stack takes $ratio as long"

    override fun alike(stacks: List<String>) = verb(stacks, "answers", "answer") + " as soon"
}

/** How many trials would tell the leaders apart. */
internal fun Ranking.neededToTell(): String = neededToTell(trialsToTell)

internal fun neededToTell(trials: Int?): String = when (trials) {
    null -> "Not even $MAX_TRIALS trials would tell, if they vary as these did: lengthen the load, " +
        "or use a quieter machine."
    else -> "About $trials trials of each would tell, if they vary as these did."
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

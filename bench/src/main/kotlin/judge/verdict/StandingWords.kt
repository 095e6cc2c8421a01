package threadgauge.judge.verdict

import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.CellJudgement

/** How a standing is told: it depends on what it is by. */
internal sealed interface StandingWords {
    /** Nobody differs. */
    val none: String

    /** Nobody can be told to lead. */
    val untold: String

    fun leads(stack: String): String

    /** [ratio] is "1.83 times (1.46 to 2.25)". */
    fun lead(ratio: String, stack: String): String

    fun alike(cells: List<CellJudgement>): String
}

internal const val NOT_BY_REPEATS =
    "Not even $MAX_TRIALS trials would tell, if they vary as these did: lengthen the load, or use a quieter machine."

internal data object ThroughputWords : StandingWords {
    override val none = "there is no difference in throughput"
    override val untold = "this run cannot tell which serves most"

    override fun leads(stack: String) = "$stack serves most"

    override fun lead(ratio: String, stack: String) = "$ratio that of $stack"

    override fun alike(cells: List<CellJudgement>) = verb(cells, "serves", "serve") + " the same"
}

internal data object LatencyWords : StandingWords {
    override val none = "all serve the whole load, and there is no difference in p99 latency"
    override val untold = "all serve the whole load, and this run cannot tell which answers soonest"

    override fun leads(stack: String) = "all serve the whole load, and $stack answers soonest by p99 latency"

    override fun lead(ratio: String, stack: String) = "$stack takes $ratio as long"

    override fun alike(cells: List<CellJudgement>) = verb(cells, "answers", "answer") + " as soon"
}

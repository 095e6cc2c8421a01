package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.claim.Claim
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Source

/** A question about servers, and how it is to be put to them. What an experiment file says, checked. */
@Serializable
data class Experiment(
    /** Short name in lower case with hyphens; names the folder of the record. */
    val name: String,
    /** The question in words, ending with a question mark. */
    val question: String,
    /** Names of the stacks to compare, in the order of the file. */
    val stacks: List<String>,
    /** What is asked of every stack, in the order of the file. Never empty. */
    val situations: List<Situation>,
    /** Fresh processes per stack. From three on, results have intervals and a winner may be named. */
    @JsonNames("repeats") val trials: Int = 5,
    /** Smallest difference that counts: 0.03 means three per cent. */
    val margin: Double = 0.03,
    /**
     * With what each stack is compared, by their names: with this one and no other. A stack that is nowhere a key is a
     * baseline, and is compared with none of its own. Empty where every pair of stacks is compared.
     */
    val baselines: Map<String, String> = emptyMap(),
    val warmUp: WarmUpRule = WarmUpRule(),
    /**
     * How long each process is left alone after its first correct answer, in nanoseconds; null where it is loaded at
     * once.
     */
    val restNanos: Long? = null,
    /** Name of the database behind the stacks; null where the experiment does not say, or needs none. */
    val database: String? = null,
    /** Where that runs already; null where it is started for the run. */
    val databaseAddress: DatabaseAddress? = null,
    /** Where [published] and [claims] come from; null where they are nobody's yet. */
    val source: Source? = null,
    /** Figures that were published, to be shown beside those of this run. */
    val published: List<PublishedFigure> = emptyList(),
    /** What is to be judged beside the question. */
    val claims: List<Claim> = emptyList(),
)

/** A database that somebody else runs, at [jdbc], and asked by [user]. The password is in nobody's file. */
@Serializable
data class DatabaseAddress(val jdbc: String, val user: String)

/** One way of asking: a request under a load. A stack in a situation is a cell. */
@Serializable
data class Situation(
    /** Short name in lower case with hyphens, unique in its experiment. */
    val name: String,
    /** Completes the sentence "For requests that …", for example "only wait (100 ms)". */
    val words: String,
    val request: Request,
    val load: Load,
    val connections: Connections = Connections(),
    /** Null where nothing is sold. */
    val sale: SaleTerms? = null,
)

/** How a fresh target is brought to its steady speed before anything is measured. */
@Serializable
data class WarmUpRule(
    /**
     * Most time that the warm-up of one trial may take, in nanoseconds, all its situations together. 0 where there is
     * none.
     */
    val budgetNanos: Long = 30_000_000_000,
    /** Length of one iteration of load on one situation, in nanoseconds. */
    val loadNanos: Long = 1_000_000_000,
    /** Pause after each cycle, in which the compiler catches up, in nanoseconds. */
    val pauseNanos: Long = 1_000_000_000,
    /**
     * While warming up, the target's compiler threads may run on every core; they go back to the target's cores before
     * anything is measured. Off means that they share the target's cores from the start.
     */
    val compilerOnAllCores: Boolean = true,
    /**
     * Names of those that warm up; empty where all do. A load that the target cannot bear leaves it work for minutes.
     */
    val situations: List<String> = emptyList(),
) {
    /** The first load meets a cold target. */
    val isNone get() = budgetNanos == 0L

    companion object {
        val NONE = WarmUpRule(budgetNanos = 0)
    }
}

/** The largest number of trials of each stack in one run. */
const val MAX_TRIALS = 100

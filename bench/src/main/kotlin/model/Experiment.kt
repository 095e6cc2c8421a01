package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.claim.Claim
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Source
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario

/** A question about servers and how it is measured: the validated content of an experiment file. */
@Serializable
data class Experiment(
    /** Short name in lower case with hyphens; names the folder of the record. */
    val name: String,
    /** The question in words, ending with a question mark. */
    val question: String,
    /** Names of the stacks to compare, in the order of the file. */
    val stacks: List<String>,
    /** The situations, in the order of the file. Never empty. */
    val situations: List<Situation>,
    /** Fresh processes per stack. With three or more, results have intervals and a winner. */
    @JsonNames("repeats") val trials: Int = 5,
    /** Smallest difference that counts, as a share: 0.03 means 3 %. */
    val margin: Double = 0.03,
    /**
     * The baseline of each stack, by their names. A stack that is not a key is a baseline itself. Empty where every
     * pair of stacks is compared.
     */
    val baselines: Map<String, String> = emptyMap(),
    val warmUp: WarmUpRule = WarmUpRule(),
    /**
     * How long each process stays idle after its first correct answer, in nanoseconds; null where it is loaded at once.
     */
    val restNanos: Long? = null,
    /** Name of the database behind the stacks; null where the experiment does not say, or needs none. */
    val database: String? = null,
    /** Address of a database that runs already; null where it is started for the run. */
    val databaseAddress: DatabaseAddress? = null,
    /** Source of [published] and [claims]; null where there is none. */
    val source: Source? = null,
    /** Published figures, which the report shows with those of this run. */
    val published: List<PublishedFigure> = emptyList(),
    /** Claims to be judged, in addition to the question. */
    val claims: List<Claim> = emptyList(),
    /** Goals by the name of their situation. One without goals is no key. */
    val goals: Map<String, Slo> = emptyMap(),
    /**
     * After its first block each process is loaded once more in every situation, and observed closely, to learn why it
     * is as fast as it is.
     */
    val causes: Boolean = true,
) {
    /** With [slo] as the goals of every situation, in place of its own; the same where it is null. */
    fun withGoals(slo: Slo?): Experiment =
        if (slo == null) this else copy(goals = situations.associate { it.name to slo })
}

/** A database of the user at [jdbc], with [user]. No file contains the password. */
@Serializable
data class DatabaseAddress(val jdbc: String, val user: String)

/** A request under a load. A stack in a situation is a cell. */
@Serializable
data class Situation(
    /** Short name in lower case with hyphens, unique in its experiment. */
    val name: String,
    /** Completes the sentence "For requests that …", for example "only wait (100 ms)". */
    val words: String,
    val request: Request,
    val load: Load,
    val connections: Connections = Connections(),
    /** Null without a sale. */
    val sale: SaleTerms? = null,
    /**
     * What users do instead of repeating [request], which is then the first request of the first scenario. A request of
     * [load] is then a pass of a scenario. Empty: users repeat [request].
     */
    val scenarios: List<Scenario> = emptyList(),
) {
    /** Its answers may have no end; those of steps have. */
    val isEndless: Boolean get() = scenarios.isEmpty() && request.isEndless
}

/** How a fresh target is warmed up before the measurement. */
@Serializable
data class WarmUpRule(
    /** Budget of the warm-up of one trial, in nanoseconds, over all situations. 0: no warm-up. */
    val budgetNanos: Long = 30_000_000_000,
    /** Length of one iteration of load on one situation, in nanoseconds. */
    val loadNanos: Long = 1_000_000_000,
    /** Pause after each cycle, in which the compiler catches up, in nanoseconds. */
    val pauseNanos: Long = 1_000_000_000,
    /**
     * During the warm-up, the target's compiler threads may run on every core; they return to the target's cores before
     * the measurement. Off: they use only the target's cores from the start.
     */
    val compilerOnAllCores: Boolean = true,
    /**
     * Names of the situations of the warm-up; empty: all. A load that overloads the target can leave it busy for
     * minutes.
     */
    val situations: List<String> = emptyList(),
) {
    /** Without a warm-up: the first load meets a cold target. */
    val isNone get() = budgetNanos == 0L

    companion object {
        val NONE = WarmUpRule(budgetNanos = 0)
    }
}

/** The largest number of trials of each stack in one run. */
const val MAX_TRIALS = 100

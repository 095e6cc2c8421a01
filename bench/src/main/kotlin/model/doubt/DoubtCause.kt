package threadgauge.model.doubt

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.judgement.Validity

/**
 * Doubts with the same cause, over all stacks and situations. [validity] is that of its worst doubt; VALID means that
 * none of them makes a figure less certain than its interval says, so it is a note.
 */
@Serializable
data class DoubtCause(
    val id: CauseId,
    val validity: Validity,
    /** What was found, the most frequent first. Never empty. */
    val kinds: List<CauseKind>,
    /** The figures that it makes doubtful, without those whose interval contains it. Empty for the whole run. */
    val cells: List<DoubtfulCell>,
    /** All its measurements are of cells with an interval. */
    val hasIntervals: Boolean,
    /** In some of [cells], it was found in most trials. It may shift all of these alike, which no interval shows. */
    val shiftsFigures: Boolean,
)

/** The doubts of one kind that share a cause. */
@Serializable
data class CauseKind(
    /** The facts of the worst doubt. */
    val worst: DoubtFacts,
    /** In how many of all measurements of the run it was found; null where it is not about single measurements. */
    val measurements: TrialShare?,
    /** Over those measurements. */
    val amounts: Amounts?,
    /** In the order of the plan; empty where it is about all stacks, or about the whole run. */
    val stacks: List<String>,
)

/** The figures of [stack] in [situation]. */
@Serializable
data class DoubtfulCell(val situation: String, val stack: String, val validity: Validity)

/**
 * What is behind doubts: what the user can do about them is the same. Those that bias a result come before those that
 * widen its intervals. Which doubt has which cause is decided in `judge`.
 */
@Serializable
enum class CauseId {
    /** A sale broke a promise. */
    @SerialName("broken-promise") BROKEN_PROMISE,

    /** A stack did not run the concurrency model that it is described with. */
    @SerialName("other-model") OTHER_MODEL,

    /** Threadgauge misread a counter. */
    @SerialName("misread-counter") MISREAD_COUNTER,
    @SerialName("failed-requests") FAILED_REQUESTS,

    /** The stacks may not have done the same work. */
    @SerialName("unequal-work") UNEQUAL_WORK,

    /** Records of different machines or versions were compared. */
    @SerialName("other-conditions") OTHER_CONDITIONS,

    /** Records were measured one after the other. */
    @SerialName("drift") DRIFT,
    @SerialName("unfinished-run") UNFINISHED_RUN,
    @SerialName("missing-figures") MISSING_FIGURES,

    /** The load was too short for its answers. */
    @SerialName("short-load") SHORT_LOAD,

    /** The load was not the one described. */
    @SerialName("other-load") OTHER_LOAD,

    /** A server was busy with requests of the previous load. */
    @SerialName("left-over-requests") LEFT_OVER_REQUESTS,

    /** The load agent was at its limit, or late. */
    @SerialName("load-agent") LOAD_AGENT,
    @SerialName("not-warm") NOT_WARM,

    /** Server and load agent took time from each other. */
    @SerialName("shared-cores") SHARED_CORES,
    @SerialName("file-limit") FILE_LIMIT,
    @SerialName("short-of-memory") SHORT_OF_MEMORY,

    /** A service was measured where it ran. */
    @SerialName("running-service") RUNNING_SERVICE,

    /** The port of a service was guessed. */
    @SerialName("guessed-port") GUESSED_PORT,

    /** The host of a virtual machine took time. */
    @SerialName("host") HOST,
    @SerialName("other-programs") OTHER_PROGRAMS,

    /** The machine itself became faster or slower. */
    @SerialName("machine-speed") MACHINE_SPEED,

    /** The run stood still in the middle. */
    @SerialName("paused") PAUSED,

    /** Stacks were not measured side by side. */
    @SerialName("in-turns") IN_TURNS,

    /** Too few answers for a percentile. */
    @SerialName("few-answers") FEW_ANSWERS,

    /** Too few trials or processes to know how they differ. */
    @SerialName("few-trials") FEW_TRIALS,

    /** A trial differs from the others. */
    @SerialName("odd-trial") ODD_TRIAL,

    /** The search for the knee ended before it was precise. */
    @SerialName("imprecise-knee") IMPRECISE_KNEE,
}

package threadgauge.model

import kotlinx.serialization.Serializable

/**
 * What a run will do, in order. Each turn is one fresh process of one stack in which every situation is measured once.
 * Turns are interleaved in a seeded random order, so that a drift of the machine falls on all stacks alike.
 */
@Serializable
data class Plan(
    val experiment: Experiment,
    val stacks: List<Stack>,
    val turns: List<Turn>,
    val seed: Long,
    val quick: Boolean,
    /** In each turn the knee is looked for, instead of measuring the situations, of which the one there is says what to send. */
    val knee: KneeQuestion? = null,
)

/** One fresh process of [stack]: its [repeat]th, counted from 1. [situations] are names in the order of measurement. */
@Serializable
data class Turn(val stack: String, val repeat: Int, val situations: List<String>)

/** A server with settings, as a `stacks.yaml` describes it. */
@Serializable
data class Stack(
    val name: String,
    /** For people: "Spring MVC, virtual threads". */
    val title: String,
    val model: ConcurrencyModel,
    /** "as shipped" or "tuned"; the two are never ranked together. */
    val setting: String,
    /** Program and arguments; `{port}` and `{java}` stand for the port to serve and the Java to use. */
    val command: List<String>,
    /** Folder in which the command runs. */
    val folder: String,
    /** Maven module that builds the jar, relative to the root (`servers/spring-mvc`); null where nothing builds it. */
    val module: String? = null,
    /** Stacks that come with Threadgauge do; a service of the user's own need not know the contract, so it is not asked for it. */
    val keepsContract: Boolean = true,
    /** Where a service runs that somebody else started; null where Threadgauge starts it with [command]. */
    val url: String? = null,
    /** Set in the environment of [command], beside what the user's own environment holds. */
    val environment: Map<String, String> = emptyMap(),
    /** The port that the service is known to serve; null where it is found out by looking at what the process listens on. */
    val port: Int? = null,
    /** How long the service may take from its start to its first correct answer, in nanoseconds. */
    val startWithinNanos: Long = 120_000_000_000,
    /** The name by which a stack knows itself, where the same one takes part twice; null where that is [name]. */
    val knownAs: String? = null,
)

/** How a server spreads requests over threads. */
@Serializable
enum class ConcurrencyModel(val words: String) {
    PLATFORM_THREADS("a platform thread per request"),
    VIRTUAL_THREADS("a virtual thread per request"),
    EVENT_LOOP("event loops"),
    COROUTINES("coroutines on event loops"),

    /** A service of the user's own, which nobody has described. */
    UNKNOWN("a model that is not known"),
}

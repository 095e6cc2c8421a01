package threadgauge.model

import kotlinx.serialization.Serializable

/** A server with settings, as a `stacks.yaml` describes it. */
@Serializable
data class Stack(
    /** With its options, where it has any: `spring-mvc+gzip`. */
    val name: String,
    /** For people: "Spring MVC, virtual threads". */
    val title: String,
    val model: ConcurrencyModel,
    /** "as shipped" or "tuned"; the two are never ranked together. */
    val setting: String,
    /**
     * Program and arguments; `{port}` and `{java}` stand for the port to serve and the Java to use, and what a
     * [Service] gives, such as `{upstream}`, for that.
     */
    val command: List<String>,
    /** Folder in which the command runs. */
    val folder: String,
    /**
     * Maven module that builds the jar, relative to the root (`servers/stacks/spring-mvc`); null where nothing builds
     * it.
     */
    val module: String? = null,
    /**
     * Stacks that come with Threadgauge do; a service of the user's own need not know the contract, so it is not asked
     * for it.
     */
    val keepsContract: Boolean = true,
    /** Where a service runs that somebody else started; null where Threadgauge starts it with [command]. */
    val url: String? = null,
    /** Set in the environment of [command], beside what the user's own environment holds. */
    val environment: Map<String, String> = emptyMap(),
    /**
     * The port that the service is known to serve; null where it is found out by looking at what the process listens
     * on.
     */
    val port: Int? = null,
    /** How long the service may take from its start to its first correct answer, in nanoseconds. */
    val startWithinNanos: Long = 120_000_000_000,
    /** The name by which a stack knows itself, where it has options or takes part twice; null where that is [name]. */
    val knownAs: String? = null,
    /**
     * The same stack with more on board, for requests that this one does not serve; null in a plan, where it is
     * decided.
     */
    val more: Edition? = null,
    /** Headers that every request to it must carry, because it lets nobody in without. */
    val sends: Map<String, String> = emptyMap(),
    /**
     * Protocol and encryption that it speaks, where that is not plain HTTP/1.1. The authorities are the name in braces
     * of what a [Service] gives, such as `{certificate}`: a file in PEM.
     */
    val connections: Connections? = null,
    /** Names of headers, beyond those of the contract, that its options let it put on answers. */
    val adds: Set<String> = emptySet(),
    /** Whether who asks it must keep cookies; null where nobody need. */
    val cookies: Cookies? = null,
    /**
     * As [command], for one start before the first measured one, in which the stack writes what its later starts read:
     * a cache of the Java that it runs on. `{archive}` stands for its place in both; null where there is nothing to
     * write.
     */
    val training: List<String>? = null,
    /**
     * Who reads the books of a stack that sells seats, and keeps the contract of a sale in place of the usual one; null
     * for all others.
     */
    val auditor: Auditor? = null,
    /**
     * Processes of it that serve at one time, each at a port of its own. Only who sells has more: what they did is told
     * by their books.
     */
    val replicas: Int = 1,
) {
    val sells: Boolean get() = auditor != null

    /** It comes with Threadgauge: it is known what it does and which model it is. */
    val isShipped: Boolean get() = keepsContract || sells
}

/**
 * A build of a stack that serves more than the plain one. What few experiments ask for (a database, clients of
 * backends) stays out of the plain one, so that nobody else loads it, starts it or measures it.
 */
@Serializable
data class Edition(
    /** Beginnings of the paths that only this edition serves. */
    val paths: List<String>,
    /** As [Stack.command], [Stack.module] and [Stack.training]; empty where nobody has built it. */
    val command: List<String>,
    val module: String?,
    val training: List<String>? = null,
) {
    /** There is no such build of a stack that is packed in another way. */
    val isMissing: Boolean get() = command.isEmpty()

    fun isNeededFor(requests: List<Request>): Boolean = requests.any { request -> paths.any(request.path::startsWith) }
}

/** This stack as it must be started to serve all of [requests]. */
fun Stack.serving(requests: List<Request>): Stack {
    val edition = more ?: return this
    return if (edition.isNeededFor(requests)) withEdition(edition) else copy(more = null)
}

/** This stack with nothing but its fuller edition. */
fun Stack.withEdition(edition: Edition): Stack =
    copy(command = edition.command, module = edition.module, training = edition.training, more = null)

/** How a server spreads requests over threads. */
@Serializable
enum class ConcurrencyModel(val words: String) {
    PLATFORM_THREADS("a platform thread per request"),
    VIRTUAL_THREADS("a virtual thread per request"),
    EVENT_LOOP("event loops"),
    COROUTINES("coroutines"),

    /** A service of the user's own, which nobody has described. */
    UNKNOWN("a model that is not known"),
}

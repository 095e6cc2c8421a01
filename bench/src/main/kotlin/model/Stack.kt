package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.request.Connections
import threadgauge.model.request.Cookies
import threadgauge.model.request.Request

/** A server with settings, as a `stacks.yaml` describes it. */
@Serializable
data class Stack(
    /** Including its options: `spring-mvc+gzip`. */
    val name: String,
    /** Title for reports: "Spring MVC, virtual threads". */
    val title: String,
    val model: ConcurrencyModel,
    /** "as shipped" or "tuned"; the two are never ranked together. */
    val setting: String,
    /**
     * Program and arguments. `{port}` is the port to serve, `{java}` the Java to use, and variables of a [Service],
     * such as `{upstream}`, are replaced by their values.
     */
    val command: List<String>,
    /** Working directory of the command. */
    val folder: String,
    /** Maven module that builds the jar, relative to the root (`servers/stacks/spring-mvc`); null without one. */
    val module: String? = null,
    /** Whether it keeps the HTTP contract. Shipped stacks do; a service of the user's own is not verified. */
    val keepsContract: Boolean = true,
    /** URL of a service that runs already; null where Threadgauge starts it with [command]. */
    val url: String? = null,
    /** Environment variables of [command], in addition to those of the user's own environment. */
    val environment: Map<String, String> = emptyMap(),
    /** The port of the service; null where it is detected from what the process listens on. */
    val port: Int? = null,
    /** Time limit from the start to the first correct answer, in nanoseconds. */
    val startWithinNanos: Long = 120_000_000_000,
    /** The name that the stack reports, if it has options or takes part twice; null: [name]. */
    val knownAs: String? = null,
    /**
     * The fuller edition of the stack, for requests that this one does not serve; null in a plan, where the edition is
     * chosen.
     */
    val more: Edition? = null,
    /** Headers that every request to it needs, for authentication. */
    val sends: Map<String, String> = emptyMap(),
    /**
     * Protocol and encryption, if not plain HTTP/1.1. The authorities are a variable of a [Service] in braces, such as
     * `{certificate}`: a file in PEM.
     */
    val connections: Connections? = null,
    /** Names of headers that its options add to answers, beyond those of the contract. */
    val adds: Set<String> = emptySet(),
    /** The cookies that clients need; null without. */
    val cookies: Cookies? = null,
    /**
     * As [command], for one start before the first trial, in which the stack writes an archive that its later starts
     * read, such as a cache of the JVM. `{archive}` is its path in both commands; null without an archive.
     */
    val training: List<String>? = null,
    /**
     * The program that reads the ledger of a stack that sells seats, which keeps the contract of a sale instead of the
     * usual one; null for all others.
     */
    val auditor: Auditor? = null,
    /**
     * Number of concurrent processes, each at its own port. Only stacks with a sale have several, because their ledger
     * shows the result of all of them.
     */
    val replicas: Int = 1,
    /**
     * What a service of the user's own is asked until it is ready, instead of the first situation's request: null where
     * there is nothing else to ask.
     */
    val ready: Request? = null,
    /**
     * Options of Java with which it listens on every address of its machine, for load agents elsewhere; empty where it
     * always does, or cannot.
     */
    val elsewhere: List<String> = emptyList(),
    /** The container in which [command] runs, as arguments of its image; null for a process of this machine. */
    val container: Container? = null,
) {
    val sells: Boolean get() = auditor != null

    /** It is shipped with Threadgauge, so its work and its model are known. */
    val isShipped: Boolean get() = keepsContract || sells
}

/**
 * A build of a stack that serves more than the plain one. What few experiments need (a database, clients of backends)
 * is not in the plain build, so that it does not affect other experiments.
 */
@Serializable
data class Edition(
    /** Prefixes of the paths that only this edition serves. */
    val paths: List<String>,
    /** As [Stack.command], [Stack.module] and [Stack.training]; empty where it has not been built. */
    val command: List<String>,
    val module: String?,
    val training: List<String>? = null,
) {
    /** This edition does not exist for a stack that is packaged in another way. */
    val isMissing: Boolean get() = command.isEmpty()

    fun isNeededFor(requests: List<Request>): Boolean = requests.any { request -> paths.any(request.path::startsWith) }
}

/** This stack in the edition that serves all of [requests]. */
fun Stack.serving(requests: List<Request>): Stack {
    val edition = more ?: return this
    return if (edition.isNeededFor(requests)) withEdition(edition) else copy(more = null)
}

/** This stack of the user's own, serving [port]; null where that is found by looking. */
fun Stack.at(port: Int?): Stack =
    if (container == null) copy(port = port) else copy(container = container.copy(port = port))

/** This stack, listening on every address of its machine. It starts with `{java}`, as all that have such options do. */
fun Stack.listeningEverywhere(): Stack = copy(command = command.take(1) + elsewhere + command.drop(1))

/** This stack in its fuller edition. */
fun Stack.withEdition(edition: Edition): Stack =
    copy(command = edition.command, module = edition.module, training = edition.training, more = null)

/** How a server spreads requests over threads. */
@Serializable
enum class ConcurrencyModel(val words: String) {
    PLATFORM_THREADS("a platform thread per request"),
    VIRTUAL_THREADS("a virtual thread per request"),
    EVENT_LOOP("event loops"),
    COROUTINES("coroutines"),

    /** Unknown: a service of the user's own. */
    UNKNOWN("a model that is not known"),
}

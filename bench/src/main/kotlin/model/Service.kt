package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.request.Request

/**
 * A process that stacks need, such as a backend or a database: started before the first stack and stopped after the
 * last. It runs on the load agent's cores, so that it takes no CPU time from the target.
 */
@Serializable
data class Service(
    val name: String,
    val kind: ServiceKind,
    /**
     * Program and arguments, as [Stack.command]; `{folder}` is replaced by a folder of its own, which is empty at the
     * start.
     */
    val command: List<String>,
    val folder: String,
    val module: String?,
    /** Prefixes of the paths that need it. Empty where stacks need it for any request. */
    val paths: List<String>,
    /** [command] for an external one at `{address}`, with `{user}`; null where that is not possible. */
    val commandAtAddress: List<String>? = null,
    /** Environment variables of [command], in addition to the user's own; `{port}` and `{folder}` are replaced. */
    val environment: Map<String, String> = emptyMap(),
    /** How a service of the user's own is known to be ready; null: it says so itself, with a line of its output. */
    val ready: ServiceReady? = null,
    /**
     * Environment variables for stacks of the user's own; `{host}`, `{port}` and `{folder}` are those of this service.
     */
    val passes: Map<String, String> = emptyMap(),
    /** The container in which [command] runs, as arguments of its image; null for a process of this machine. */
    val container: Container? = null,
)

/**
 * A service is ready when [port] of this machine, a number or `{port}`, accepts a connection, or, with a [path],
 * answers a GET of it over HTTP with a status of 200 to 299.
 */
@Serializable
data class ServiceReady(val port: String, val path: String? = null)

/** The external one at [address] instead. */
fun Service.at(address: DatabaseAddress): Service = copy(
    command = checkNotNull(commandAtAddress) { "$name cannot be at an address" }
        .map { it.replace("{address}", address.jdbc).replace("{user}", address.user) },
)

/** A run has at most one service of each kind, but any number of its own. */
@Serializable
enum class ServiceKind(
    /** What needs it if not paths; null where paths do. */
    val forWhom: String? = null,
) {
    UPSTREAM,
    DATABASE,
    CERTIFICATE("stacks that speak TLS"),

    /** The database of sales. */
    BOOKS("stacks that sell seats"),

    /** In-memory store that processes share, such as Redis. */
    MEMORY("stacks that name it"),

    /** A service of the user's own, in an experiment file. */
    OWN("the stacks of the experiment"),
}

/** Whether any of [requests] or [stacks] needs it. */
fun Service.isNeededFor(requests: List<Request>, stacks: List<Stack>): Boolean = when (kind) {
    ServiceKind.CERTIFICATE -> stacks.any { it.connections?.tls != null }
    ServiceKind.BOOKS -> stacks.any { it.sells }
    ServiceKind.OWN -> true
    ServiceKind.MEMORY -> stacks.any { stack -> stack.command.any { MEMORY_PLACE in it } }
    else -> requests.any { request -> paths.any(request.path::startsWith) }
}

/** Name of the variable of a memory in commands. */
private const val MEMORY_PLACE = "{redis}"

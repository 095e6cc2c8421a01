package threadgauge.model

import kotlinx.serialization.Serializable

/**
 * What stacks need beside themselves, such as a backend or a database: started before the first of them and stopped
 * after the last. It runs on the load agent's cores, so that it takes no time from what is measured.
 */
@Serializable
data class Service(
    val name: String,
    val kind: ServiceKind,
    /**
     * Program and arguments, as [Stack.command]; `{folder}` stands for a folder of its own that is empty at the start.
     */
    val command: List<String>,
    val folder: String,
    val module: String?,
    /** Beginnings of the paths for which it is needed. Empty for what stacks need whatever they are asked. */
    val paths: List<String>,
    /** [command] for one that somebody else runs, at `{address}` and asked by `{user}`; null where it cannot be. */
    val commandAtAddress: List<String>? = null,
)

/** The one at [address] in its place. */
fun Service.at(address: DatabaseAddress): Service = copy(
    command = checkNotNull(commandAtAddress) { "$name cannot be at an address" }
        .map { it.replace("{address}", address.jdbc).replace("{user}", address.user) },
)

/** Of each kind at most one takes part. */
@Serializable
enum class ServiceKind(
    /** Why it is there where no path asks for it; null where paths do. */
    val forWhom: String? = null,
) {
    UPSTREAM,
    DATABASE,
    CERTIFICATE("stacks that speak TLS"),

    /** Where sales are written down. */
    BOOKS("stacks that sell seats"),

    /** Fast memory that processes share. */
    MEMORY("stacks that name it"),
}

/** Whether any of [requests] cannot be served without it, or any of [stacks] cannot start. */
fun Service.isNeededFor(requests: List<Request>, stacks: List<Stack>): Boolean = when (kind) {
    ServiceKind.CERTIFICATE -> stacks.any { it.connections?.tls != null }
    ServiceKind.BOOKS -> stacks.any { it.sells }
    ServiceKind.MEMORY -> stacks.any { stack -> stack.command.any { MEMORY_PLACE in it } }
    else -> requests.any { request -> paths.any(request.path::startsWith) }
}

/** What a memory gives, as commands name it. */
private const val MEMORY_PLACE = "{redis}"

package threadgauge.model

import kotlinx.serialization.Serializable

/**
 * What stacks need beside themselves, such as a backend or a database: started before the first of them and stopped after the last. It
 * runs on the load agent's cores, so that it takes no time from what is measured.
 */
@Serializable
data class Service(
    val name: String,
    val kind: ServiceKind,
    /** Program and arguments, as [Stack.command]; `{folder}` stands for a folder of its own that is empty at the start. */
    val command: List<String>,
    val folder: String,
    val module: String?,
    /** Beginnings of the paths for which it is needed. Empty for a certificate: stacks that speak TLS need one. */
    val paths: List<String>,
)

/** Of each kind at most one takes part. */
@Serializable
enum class ServiceKind { UPSTREAM, DATABASE, CERTIFICATE }

/** Whether any of [requests] cannot be served without it, or any of [stacks] cannot start. */
fun Service.isNeededFor(requests: List<Request>, stacks: List<Stack>): Boolean = when (kind) {
    ServiceKind.CERTIFICATE -> stacks.any { it.connections?.tls != null }
    else -> requests.any { request -> paths.any(request.path::startsWith) }
}

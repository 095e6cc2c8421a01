package threadgauge.server.ktor

import io.ktor.server.routing.RoutingCall

/** Facts that only the engine knows. The rest of the self-report is the same on all of Ktor's engines. */
interface EngineFacts {
    /** Name and version. */
    val engine: String

    /** Number of threads that run handlers, including those of `Dispatchers.IO` where the engine uses them. */
    val threadsForHandlers: Int

    /** Limit of connections served at one time. Null without a limit. */
    val maxConnections: Int? get() = null

    /** Effective settings of the engine and of the connection of [call]. */
    fun settings(call: RoutingCall): Map<String, String>
}

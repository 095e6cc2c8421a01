package threadgauge.server.ktor

import io.ktor.server.routing.RoutingCall

/** What only an engine knows of itself. Everything else in the self-report is the same on all of Ktor's engines. */
interface EngineFacts {
    /** With its version. */
    val engine: String

    /** Threads that run handlers. Those of `Dispatchers.IO` count where the engine runs handlers on them. */
    val threadsForHandlers: Int

    /** Most connections that the engine serves at one time; null where it has no such limit. */
    val maxConnections: Int? get() = null

    /** Effective settings of the engine and of the connection that [call] came in on. */
    fun settings(call: RoutingCall): Map<String, String>
}

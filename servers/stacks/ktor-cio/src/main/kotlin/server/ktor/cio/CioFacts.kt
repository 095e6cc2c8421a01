package threadgauge.server.ktor.cio

import io.ktor.server.application.Application
import io.ktor.server.cio.CIOApplicationEngine
import io.ktor.server.routing.RoutingCall
import threadgauge.server.ktor.EngineFacts
import threadgauge.server.work.ioDispatcherThreads

/**
 * CIO has no threads of its own. Handlers, its selector and blocking calls share `Dispatchers.IO`, so `/offload` gains
 * nothing over `/block`: the call stays on its thread.
 *
 * CIO shows its configuration, but neither its sockets nor their options. Their values come from its source code.
 */
class CioFacts(private val application: Application) : EngineFacts {
    private val configuration get() = (application.engine as CIOApplicationEngine).configuration

    override val engine get() = "CIO ${CIOApplicationEngine::class.java.`package`.implementationVersion}"

    override val threadsForHandlers get() = ioDispatcherThreads

    override fun settings(call: RoutingCall): Map<String, String> = mapOf(
        "event loops" to "none of its own",
        "connections max" to "unlimited",
        "requests per connection" to "unlimited",
        "idle connection closed after" to "${configuration.connectionIdleTimeoutSeconds * 1_000L} ms",
    ) + fromSources

    private companion object {
        /** In `SocketOptions.backlogSize` and `ServerSocketImpl` of Ktor 3.5. */
        val fromSources = mapOf("accept queue" to "511", "TCP_NODELAY" to "true", "transport" to "nio")
    }
}

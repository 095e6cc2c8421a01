package threadgauge.server.ktor.backends

import io.ktor.client.engine.cio.CIOEngineConfig
import threadgauge.server.work.BackendClient

/** Limit of Ktor's CIO client as shipped. */
class CioClient : BackendClient {
    override val maxCalls get() = CIOEngineConfig().endpoint.maxConnectionsPerRoute
}

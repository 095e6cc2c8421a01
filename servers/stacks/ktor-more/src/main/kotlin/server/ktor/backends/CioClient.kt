package threadgauge.server.ktor.backends

import io.ktor.client.engine.cio.CIOEngineConfig
import threadgauge.server.work.BackendClient

/** What Ktor's CIO client allows as shipped. */
class CioClient : BackendClient {
    override val maxCalls get() = CIOEngineConfig().endpoint.maxConnectionsPerRoute
}

package threadgauge.server.backends

import reactor.netty.http.HttpResources
import threadgauge.server.work.BackendClient

/** Limit of the connection pool that Spring's WebClient uses by default: Reactor Netty has one per process. */
class ReactorClient : BackendClient {
    override val maxCalls get() = HttpResources.get().maxConnections()
}

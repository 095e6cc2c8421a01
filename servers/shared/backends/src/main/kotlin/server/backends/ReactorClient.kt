package threadgauge.server.backends

import reactor.netty.http.HttpResources
import threadgauge.server.work.BackendClient

/** What Spring's WebClient allows on the connections of Reactor Netty that all of a process share. */
class ReactorClient : BackendClient {
    override val maxCalls get() = HttpResources.get().maxConnections()
}

package threadgauge.server.quarkus.more

import io.vertx.core.http.PoolOptions
import threadgauge.server.work.BackendClient

/** What Vert.x' WebClient allows as shipped. */
class VertxClient : BackendClient {
    override val maxCalls get() = PoolOptions().http1MaxSize
}

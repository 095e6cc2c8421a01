package threadgauge.server.quarkus.more

import io.vertx.core.http.PoolOptions
import threadgauge.server.work.BackendClient

/** Limit of Vert.x' WebClient as shipped. */
class VertxClient : BackendClient {
    override val maxCalls get() = PoolOptions().http1MaxSize
}

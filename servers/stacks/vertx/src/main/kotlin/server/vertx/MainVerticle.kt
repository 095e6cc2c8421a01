package threadgauge.server.vertx

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.vertx.core.http.HttpServerOptions
import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.CoroutineVerticle
import io.vertx.kotlin.coroutines.coAwait

/** An HTTP server on one event loop. */
class MainVerticle(
    private val http: HttpServerOptions,
    private val selfReport: SelfReport,
    private val registry: PrometheusMeterRegistry,
    private val more: MoreRoutes,
) : CoroutineVerticle(), CoroutineRouterSupport {
    override suspend fun start() {
        val router = Router.router(vertx)
        endpoints(router, selfReport, registry)
        more(router)
        router.answerInvalidRequests()
        vertx.createHttpServer(http).invalidRequestHandler(::answerUnread).requestHandler(router).listen().coAwait()
    }
}

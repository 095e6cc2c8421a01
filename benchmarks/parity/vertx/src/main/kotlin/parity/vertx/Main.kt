package threadgauge.parity.vertx

import io.vertx.core.Vertx
import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.CoroutineVerticle
import io.vertx.kotlin.coroutines.coAwait

/** Vert.x with coroutines as its own example has it: a verticle with a router, whose handlers are coroutines. */
class MainVerticle(private val port: Int) : CoroutineVerticle(), CoroutineRouterSupport {
    override suspend fun start() {
        val router = Router.router(vertx)
        router.get("/hello")
            .coHandler { context -> context.response().putHeader("content-type", "text/plain").end("hello") }
        vertx.createHttpServer().requestHandler(router).listen(port).coAwait()
    }
}

fun main(arguments: Array<String>) {
    Vertx.vertx().deployVerticle(MainVerticle(arguments.single().toInt()))
}

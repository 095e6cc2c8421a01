package threadgauge.parity.vertx

import io.vertx.core.Vertx
import io.vertx.ext.web.Router

/** Vert.x as its guide "Getting started" has it, with a router. */
fun main(arguments: Array<String>) {
    val vertx = Vertx.vertx()
    val router = Router.router(vertx)
    router.get("/hello").respond { context -> context.response().putHeader("content-type", "text/plain").end("hello") }
    vertx.createHttpServer().requestHandler(router).listen(arguments.single().toInt())
}

package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import threadgauge.server.backends.FanOut
import threadgauge.server.vertx.MoreRoutes
import threadgauge.server.vertx.serve

/** The plain edition with more routes. */
fun main(arguments: Array<String>) = serve(arguments, ::moreRoutes)

private fun moreRoutes(vertx: Vertx, given: Map<String, String>): MoreRoutes {
    val upstream = given["upstream"].orEmpty()
    val client = UpstreamClient(vertx, upstream)
    val fanOut = FanOut(upstream)
    val source = articleSource(vertx, given)
    return { router ->
        userPages(router, client)
        fanOuts(router, fanOut)
        answerUpstreamFailed(router)
        customers(router)
        source?.let { articles(router, it) }
    }
}

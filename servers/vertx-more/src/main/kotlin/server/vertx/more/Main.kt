package threadgauge.server.vertx.more

import io.vertx.core.Vertx
import threadgauge.server.articles.connectionPool
import threadgauge.server.backends.FanOut
import threadgauge.server.vertx.MoreRoutes
import threadgauge.server.vertx.serve

/** The plain edition with more routes. */
fun main(arguments: Array<String>) = serve(arguments, ::moreRoutes)

private fun moreRoutes(vertx: Vertx, given: Map<String, String>): MoreRoutes {
    val upstream = given["upstream"].orEmpty()
    val client = UpstreamClient(vertx, upstream)
    val fanOut = FanOut(upstream)
    // An argument may be there and empty: the bench fills in nothing where no database is.
    val pool = given["jdbc"]?.ifEmpty { null }?.let { connectionPool(it, given.getValue("user"), given.getValue("password")) }
    return { router ->
        userPages(router, client)
        fanOuts(router, fanOut)
        answerUpstreamFailed(router)
        customers(router)
        pool?.let { articles(router, it) }
    }
}

package threadgauge.server.vertx

import io.vertx.core.DeploymentOptions
import io.vertx.core.Vertx
import io.vertx.core.VertxOptions
import io.vertx.core.http.HttpServerOptions
import io.vertx.ext.web.Router
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.coAwait
import java.util.function.Supplier
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking
import threadgauge.server.work.jvmMetrics
import threadgauge.server.work.optionsOf

fun main(arguments: Array<String>) = serve(arguments)

/**
 * Routes of the fuller edition, added to those of each verticle. Their dependencies are created once, before the first
 * verticle.
 */
typealias MoreRoutes = CoroutineRouterSupport.(Router) -> Unit

/**
 * Vert.x with the verticle of its project generator, deployed once, as its launcher does. `--verticles=all` deploys one
 * for each event loop; they share the port.
 */
fun serve(arguments: Array<String>, more: (Vertx, Map<String, String>) -> MoreRoutes = { _, _ -> {} }) {
    val given = optionsOf(arguments)
    val options = VertxOptions()
    val registry = jvmMetrics()
    val vertx = Vertx.vertx(options)

    // Reachable from this machine alone, unless told otherwise.
    val host = System.getProperty("server.host", "127.0.0.1")
    val http = HttpServerOptions().setHost(host).setPort(given.getValue("port").toInt())
    given["max-initial-line-length"]?.let { http.maxInitialLineLength = it.toInt() }
    val selfReport = SelfReport(given.getValue("stack.name"), options, http)
    val instances = if (given["verticles"] == "all") options.eventLoopPoolSize else 1
    try {
        val moreRoutes = more(vertx, given)
        runBlocking {
            val verticles = Supplier { MainVerticle(http, selfReport, registry, moreRoutes) }
            vertx.deployVerticle(verticles, DeploymentOptions().setInstances(instances)).coAwait()
        }
    } catch (failure: Exception) {
        failure.printStackTrace()
        // The event loops would keep the process alive.
        exitProcess(1)
    }
}

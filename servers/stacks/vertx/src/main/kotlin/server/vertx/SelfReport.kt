package threadgauge.server.vertx

import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import io.netty.util.Version
import io.vertx.core.Vertx
import io.vertx.core.VertxOptions
import io.vertx.core.http.HttpServerOptions
import io.vertx.core.http.HttpServerRequest
import io.vertx.core.net.impl.ConnectionBase
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport

/**
 * The report for `GET /runtime`. Socket options are read from the connection of the request, the number of verticles
 * from its context, and the rest from the options of the running Vert.x.
 */
class SelfReport(private val stack: String, private val vertx: VertxOptions, private val http: HttpServerOptions) {
    fun now(request: HttpServerRequest): ServerReport {
        // Each verticle runs on one event loop, and only as many serve as there are event loops.
        val loops = minOf(Vertx.currentContext().instanceCount, vertx.eventLoopPoolSize)
        return ServerReport(
            stack = stack,
            framework = "Vert.x $version with coroutines",
            engine = "Netty ${Version.identify().getValue("netty-transport").artifactVersion()}",
            model = Model.COROUTINES,
            handlerThread = Thread.currentThread(),
            concurrencyLimits = MeasuredPaths.holding.associateWith { loops } +
                MeasuredPaths.offloaded.associateWith { vertx.workerPoolSize },
            startupMillis = null,
            settings = settings(loops, (request.connection() as ConnectionBase).channel()),
        )
    }

    private fun settings(loops: Int, channel: Channel): Map<String, String> = mapOf(
        "event loops" to loops.toString(),
        "event loops to be had" to vertx.eventLoopPoolSize.toString(),
        "threads for blocking calls" to vertx.workerPoolSize.toString(),
        "connections max" to "unlimited",
        "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
        "requests per connection" to "unlimited",
        "idle connection closed after" to idleTimeout,
        "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
        "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
    )

    private val idleTimeout: String
        get() = if (http.idleTimeout == 0) "never" else "${http.idleTimeoutUnit.toMillis(http.idleTimeout.toLong())} ms"

    private companion object {
        val version: String = Vertx::class.java.getResource("/META-INF/vertx/vertx-version.txt")!!.readText().trim()
    }
}

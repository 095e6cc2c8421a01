package threadgauge.server.quarkus

import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import io.netty.util.Version
import io.quarkus.runtime.Application
import io.quarkus.runtime.ExecutorRecorder
import io.quarkus.runtime.ThreadPoolConfig
import io.quarkus.vertx.http.runtime.VertxHttpConfig
import io.vertx.core.http.HttpServerRequest
import io.vertx.core.net.impl.ConnectionBase
import jakarta.inject.Singleton
import org.eclipse.microprofile.config.inject.ConfigProperty
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport

/**
 * The report for `GET /runtime`. Event loops and socket options are read from the connection of the request, the rest
 * from Quarkus' configuration with its defaults.
 */
@Singleton
class SelfReport(
    @param:ConfigProperty(name = "stack.name") private val stack: String,
    private val http: VertxHttpConfig,
    private val pool: ThreadPoolConfig,
    private val startup: StartupTime,
) {
    fun now(request: HttpServerRequest, model: Model): ServerReport {
        val channel = (request.connection() as ConnectionBase).channel()
        return ServerReport(
            stack = stack,
            framework = "Quarkus ${Application::class.java.`package`.implementationVersion}",
            engine = "Vert.x on Netty ${Version.identify().getValue("netty-transport").artifactVersion()}",
            model = model,
            handlerThread = Thread.currentThread(),
            concurrencyLimits = if (model == Model.VIRTUAL_THREADS) emptyMap() else limits(channel),
            maxConnections = http.limits().maxConnections().let { if (it.isPresent) it.asInt else null },
            startupMillis = startup.millis,
            settings = settings(channel) +
                if (model == Model.VIRTUAL_THREADS) mapOf("threads max" to "unlimited") else emptyMap(),
        )
    }

    private fun limits(channel: Channel): Map<String, Int> =
        MeasuredPaths.holding.associateWith { loopsOf(channel) } + ("/offload" to ExecutorRecorder.getMaxSize(pool))

    private fun settings(channel: Channel): Map<String, String> = mapOf(
        "event loops" to loopsOf(channel).toString(),
        "threads for blocking calls" to ExecutorRecorder.getMaxSize(pool).toString(),
        "connections max" to
            http.limits().maxConnections().let { if (it.isPresent) it.asInt.toString() else "unlimited" },
        "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
        "requests per connection" to "unlimited",
        "idle connection closed after" to "${http.idleTimeout().toMillis()} ms",
        "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
        "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
    )

    private fun loopsOf(channel: Channel): Int = channel.eventLoop().parent()!!.count()
}

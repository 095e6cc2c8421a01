package threadgauge.server.webflux

import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.boot.context.event.ApplicationReadyEvent
import org.springframework.boot.reactor.netty.NettyServerCustomizer
import org.springframework.context.event.EventListener
import org.springframework.core.SpringVersion
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.http.server.reactive.ServerHttpRequestDecorator
import org.springframework.stereotype.Component
import reactor.core.scheduler.Schedulers
import reactor.netty.Connection
import reactor.netty.http.server.HttpServer
import reactor.netty.http.server.HttpServerConfig
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.RuntimeReport
import java.time.Duration

/**
 * What `GET /runtime` says. Event loops and socket options are read from the connection that the request came in on,
 * the rest from the server's own configuration, which Spring Boot shows to its customizers. Nothing is customized.
 */
@Component
class SelfReport(@param:Value("\${stack.name}") private val stack: String) : NettyServerCustomizer {
    /** Written once by the main thread while the server starts, read by handlers. */
    @Volatile
    private var server: HttpServerConfig? = null

    /** Written once by the main thread when the server is ready, read by handlers. */
    @Volatile
    private var startupMillis: Double? = null

    override fun apply(server: HttpServer): HttpServer = server.also { this.server = it.configuration() }

    @EventListener
    fun ready(event: ApplicationReadyEvent) {
        startupMillis = event.timeTaken?.let { it.toNanos() / 1e6 }
    }

    fun now(request: ServerHttpRequest): RuntimeReport {
        val channel = ServerHttpRequestDecorator.getNativeRequest<Connection>(request).channel()
        val loops = channel.eventLoop().parent()!!.count()
        return RuntimeReport(
            stack = stack,
            framework = "Spring WebFlux ${SpringVersion.getVersion()}, Spring Boot ${SpringBootVersion.getVersion()}",
            engine = "Reactor Netty ${HttpServer::class.java.`package`.implementationVersion}",
            model = Model.EVENT_LOOP,
            handlerThread = Thread.currentThread(),
            concurrencyLimits = MeasuredPaths.holding.associateWith { loops } +
                ("/offload" to Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE),
            startupMillis = startupMillis,
            settings = settings(channel, loops),
        )
    }

    private fun settings(channel: Channel, loops: Int): Map<String, String> = mapOf(
        "event loops" to loops.toString(),
        "threads for blocking calls" to Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE.toString(),
        "connections max" to "unlimited",
        "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
        "requests per connection" to (server?.maxKeepAliveRequests()?.takeIf { it > 0 } ?: "unlimited").toString(),
        "idle connection closed after" to (server?.idleTimeout().inMillis() ?: "never"),
        "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
        "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
    )

    private fun Duration?.inMillis(): String? = this?.let { "${it.toMillis()} ms" }
}

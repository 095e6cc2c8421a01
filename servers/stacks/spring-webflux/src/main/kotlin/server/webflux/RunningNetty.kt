package threadgauge.server.webflux

import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import io.netty.channel.ServerChannel
import java.time.Duration
import org.springframework.boot.reactor.netty.NettyServerCustomizer
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.http.server.reactive.ServerHttpRequestDecorator
import org.springframework.stereotype.Component
import reactor.netty.Connection
import reactor.netty.http.server.HttpServer
import reactor.netty.http.server.HttpServerConfig

/**
 * The running Reactor Netty. Event loops and socket options are read from the connection of the request, the rest from
 * the server's configuration, which Spring Boot passes to customizers. This one changes nothing. Also used by
 * `spring-webflux-coroutine`.
 */
@Component
class RunningNetty : NettyServerCustomizer {
    /** Written once by the main thread while the server starts, read by handlers. */
    @Volatile
    private var server: HttpServerConfig? = null

    override fun apply(server: HttpServer): HttpServer = server.also { this.server = it.configuration() }

    val engine: String get() = "Reactor Netty ${HttpServer::class.java.`package`.implementationVersion}"

    fun eventLoops(request: ServerHttpRequest): Int = channelOf(request).eventLoop().parent()!!.count()

    fun settings(request: ServerHttpRequest): Map<String, String> {
        val channel = channelOf(request)
        return mapOf(
            "event loops" to eventLoops(request).toString(),
            "connections max" to "unlimited",
            "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
            "requests per connection" to (server?.maxKeepAliveRequests()?.takeIf { it > 0 } ?: "unlimited").toString(),
            "idle connection closed after" to (server?.idleTimeout().inMillis() ?: "never"),
            "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
            "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
        )
    }

    /** The channel of the connection: with HTTP/2 a request has a channel of its own. */
    private fun channelOf(request: ServerHttpRequest): Channel =
        ServerHttpRequestDecorator.getNativeRequest<Connection>(request).channel()
            .let { if (it.parent() is ServerChannel) it else it.parent() }

    private fun Duration?.inMillis(): String? = this?.let { "${it.toMillis()} ms" }
}

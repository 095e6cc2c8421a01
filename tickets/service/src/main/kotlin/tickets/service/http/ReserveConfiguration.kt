package threadgauge.tickets.service.http

import io.netty.channel.EventLoop
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.reactor.netty.NettyServerCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.ReactorResourceFactory
import org.springframework.util.unit.DataSize
import reactor.netty.NettyPipeline
import reactor.netty.resources.LoopResources
import threadgauge.tickets.service.Settings
import tools.jackson.databind.json.JsonMapper

/** Installs [ConnectionGuard] and [ReserveConnection] before the framework, and the event loops that they share. */
@Configuration
internal class ReserveConfiguration {
    /** One event loop per core. None of them ever blocks, so more would only compete for the cores. */
    @Bean
    fun eventLoops(@Value("\${spring.reactor.netty.shutdown-quiet-period}") quiet: Duration) =
        ReactorResourceFactory().apply {
            isUseGlobalResources = false
            setLoopResourcesSupplier {
                LoopResources.create("http", Runtime.getRuntime().availableProcessors(), true)
            }
            setShutdownQuietPeriod(quiet)
        }

    @Bean
    fun connecting(
        reserving: Reserving,
        settings: Settings,
        json: JsonMapper,
        @Value("\${spring.http.codecs.max-in-memory-size}") maxBody: DataSize,
    ) = NettyServerCustomizer { server ->
        val dispatchers = ConcurrentHashMap<EventLoop, EventLoopDispatcher>()
        server.doOnChannelInit { _, channel, _ ->
            ConnectionGuard(settings.requestTimeout, json).install(channel)
            val loop = dispatchers.computeIfAbsent(channel.eventLoop(), ::EventLoopDispatcher)
            val reservations = ReserveConnection(reserving, loop, maxBody.toBytes().toInt())
            channel.pipeline().addBefore(NettyPipeline.HttpTrafficHandler, "reservations", reservations)
        }
    }
}

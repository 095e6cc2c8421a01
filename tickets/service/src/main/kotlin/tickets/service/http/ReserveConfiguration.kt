package threadgauge.tickets.service.http

import java.time.Duration
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.reactor.netty.NettyRouteProvider
import org.springframework.boot.reactor.netty.NettyServerCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.ReactorResourceFactory
import org.springframework.util.unit.DataSize
import reactor.netty.resources.LoopResources
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
import threadgauge.tickets.service.Settings
import tools.jackson.databind.json.JsonMapper

/** Installs [ConnectionGuard] and [ReserveHandler] before the framework, and the event loops that all of them share. */
@Configuration
class ReserveConfiguration {
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
    fun guarding(settings: Settings, json: JsonMapper) = NettyServerCustomizer { server ->
        server.doOnChannelInit { _, channel, _ -> ConnectionGuard(settings.requestTimeout, json).install(channel) }
    }

    @Bean
    fun reserving(
        strategy: Strategy,
        events: KnownEvents,
        rehearsal: RehearsalAccess,
        admission: AdmissionControl,
        metrics: SaleMetrics,
        problems: Problems,
        settings: Settings,
        json: JsonMapper,
        @Value("\${spring.http.codecs.max-in-memory-size}") maxBody: DataSize,
    ) = NettyRouteProvider { routes ->
        val handler =
            ReserveHandler(strategy, events, rehearsal, admission, metrics, problems, settings, json, maxBody)
        routes.route(handler::takes, handler)
    }
}

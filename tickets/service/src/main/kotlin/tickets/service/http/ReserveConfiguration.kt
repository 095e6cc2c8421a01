package threadgauge.tickets.service.http

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.ReactorResourceFactory
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory
import org.springframework.util.unit.DataSize
import reactor.netty.resources.LoopResources
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
import tools.jackson.databind.json.JsonMapper
import java.time.Duration

/** Puts [ReserveHandler] before all else that answers requests, and says on which threads. */
@Configuration
class ReserveConfiguration {
    /** One event loop for each processor: none of them ever blocks, so more of them would only take turns. */
    @Bean
    fun eventLoops(@Value("\${spring.reactor.netty.shutdown-quiet-period}") quiet: Duration) = ReactorResourceFactory().apply {
        isUseGlobalResources = false
        setLoopResourcesSupplier { LoopResources.create("http", Runtime.getRuntime().availableProcessors(), true) }
        setShutdownQuietPeriod(quiet)
    }

    @Bean
    fun reserving(
        strategy: Strategy,
        events: KnownEvents,
        door: Door,
        metrics: SaleMetrics,
        problems: Problems,
        json: JsonMapper,
        @Value("\${spring.http.codecs.max-in-memory-size}") bodyMost: DataSize,
    ) = HttpHandlerDecoratorFactory { ReserveHandler(it, strategy, events, door, metrics, problems, json, bodyMost) }
}

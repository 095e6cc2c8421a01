package threadgauge.server.webflux.features

import java.util.concurrent.atomic.LongAdder
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.web.reactive.config.CorsRegistry
import org.springframework.web.reactive.config.WebFluxConfigurer
import org.springframework.web.server.WebFilter
import threadgauge.server.features.ErrorPages
import threadgauge.server.features.Failures
import threadgauge.server.features.Pages
import threadgauge.server.work.Features

/**
 * The features that need code. Compression, TLS, HTTP/2 and call logging are properties of Spring Boot and Reactor
 * Netty, in `stacks.yaml` alone.
 */
@Configuration
@Import(Failures::class, ErrorPages::class, Pages::class)
class SwitchedOn {
    private val nanos = LongAdder()

    @Bean
    @ConditionalOnBooleanProperty(Features.DEFAULT_HEADERS)
    fun defaultHeaders() = WebFilter { exchange, chain ->
        exchange.response.headers.set(Features.SERVED_BY, Features.SERVED_BY_VALUE)
        chain.filter(exchange)
    }

    /** Every call has a session in the memory of this process. */
    @Bean
    @ConditionalOnBooleanProperty(Features.SESSIONS)
    fun sessions() = WebFilter { exchange, chain ->
        exchange.session.flatMap { session ->
            session.attributes.putIfAbsent(Features.SINCE, System.currentTimeMillis())
            chain.filter(exchange)
        }
    }

    @Bean
    @ConditionalOnBooleanProperty(Features.CORS)
    fun cors() = object : WebFluxConfigurer {
        override fun addCorsMappings(registry: CorsRegistry) {
            registry.addMapping("/**").allowedOrigins(Features.ORIGIN)
        }
    }

    /** Measures the time of every call. */
    @Bean
    @ConditionalOnBooleanProperty(Features.INTERCEPTOR)
    fun interceptor() = WebFilter { exchange, chain ->
        val began = System.nanoTime()
        exchange.response.headers.set(Features.INTERCEPTED, "yes")
        chain.filter(exchange).doFinally { nanos.add(System.nanoTime() - began) }
    }
}

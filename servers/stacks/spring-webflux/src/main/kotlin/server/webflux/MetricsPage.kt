package threadgauge.server.webflux

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers

/**
 * Replaces the actuator's endpoint, whose handler mapping is consulted for each request (decision 0028). Reading all
 * meters takes milliseconds, so it does not run on an event loop. Also used by `spring-webflux-coroutine`.
 */
@RestController
class MetricsPage(private val registry: PrometheusMeterRegistry) {
    @GetMapping("/metrics", produces = ["text/plain;version=0.0.4;charset=utf-8"])
    fun metrics(): Mono<String> = Mono.fromCallable { registry.scrape() }.subscribeOn(Schedulers.boundedElastic())
}

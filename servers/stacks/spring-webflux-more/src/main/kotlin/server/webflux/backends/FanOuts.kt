package threadgauge.server.webflux.backends

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.mono
import org.springframework.beans.factory.annotation.Value
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy

/**
 * A blocking strategy runs on Reactor's bounded elastic pool; the others hold no thread. Coroutines begin on the event
 * loop, as Spring's own suspending handlers do.
 */
@RestController
class FanOuts(@Value("\${upstream}") upstream: String) {
    private val fanOut = FanOut(upstream)

    @GetMapping("/fanout/{strategy}/{ms}", produces = ["text/plain;charset=UTF-8"])
    fun results(
        @PathVariable strategy: String,
        @PathVariable ms: String,
        @RequestParam calls: String?,
        @RequestParam n: String?,
    ): Mono<String> {
        val (chosen, parsed) = fanOut.parse(strategy, ms, calls, n)
        val results = when (chosen) {
            is Strategy.Blocking ->
                Mono.fromCallable { chosen.results(parsed) }.subscribeOn(Schedulers.boundedElastic())
            is Strategy.Suspending -> mono(Dispatchers.Unconfined) { chosen.results(parsed) }
            is Strategy.Reactive -> chosen.results(parsed)
        }
        return results.map(FanOut::answer)
    }
}

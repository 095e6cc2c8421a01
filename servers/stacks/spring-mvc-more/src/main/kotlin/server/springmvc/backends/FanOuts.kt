package threadgauge.server.springmvc.backends

import kotlinx.coroutines.runBlocking
import org.springframework.beans.factory.annotation.Value
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy

/** The thread of the request waits for the results, whatever the strategy. */
@RestController
class FanOuts(@Value("\${upstream}") upstream: String) {
    private val fanOut = FanOut(upstream)

    @GetMapping("/fanout/{strategy}/{ms}", produces = ["text/plain;charset=UTF-8"])
    fun results(
        @PathVariable strategy: String,
        @PathVariable ms: String,
        @RequestParam calls: String?,
        @RequestParam n: String?,
    ): String {
        val (chosen, parsed) = fanOut.parse(strategy, ms, calls, n)
        val results = when (chosen) {
            is Strategy.Blocking -> chosen.results(parsed)
            is Strategy.Suspending -> runBlocking { chosen.results(parsed) }
            is Strategy.Reactive -> checkNotNull(chosen.results(parsed).block())
        }
        return FanOut.answer(results)
    }
}

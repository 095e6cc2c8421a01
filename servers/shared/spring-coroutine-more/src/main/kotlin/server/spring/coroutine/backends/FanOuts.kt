package threadgauge.server.spring.coroutine.backends

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.withContext
import org.springframework.beans.factory.annotation.Value
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy

/** A blocking strategy runs on `Dispatchers.IO`; the others hold no thread. */
@RestController
class FanOuts(@Value("\${upstream}") upstream: String) {
    private val fanOut = FanOut(upstream)

    @GetMapping("/fanout/{strategy}/{ms}", produces = ["text/plain;charset=UTF-8"])
    suspend fun results(
        @PathVariable strategy: String,
        @PathVariable ms: String,
        @RequestParam calls: String?,
        @RequestParam n: String?,
    ): String {
        val (chosen, parsed) = fanOut.parse(strategy, ms, calls, n)
        val results = when (chosen) {
            is Strategy.Blocking -> withContext(Dispatchers.IO) { chosen.results(parsed) }
            is Strategy.Suspending -> chosen.results(parsed)
            is Strategy.Reactive -> chosen.results(parsed).awaitSingle()
        }
        return FanOut.answer(results)
    }
}

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

/** A strategy that blocks belongs on `Dispatchers.IO`; the others hold no thread. */
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
        val (chosen, asked) = fanOut.asked(strategy, ms, calls, n)
        val results = when (chosen) {
            is Strategy.Blocking -> withContext(Dispatchers.IO) { chosen.results(asked) }
            is Strategy.Suspending -> chosen.results(asked)
            is Strategy.Reactive -> chosen.results(asked).awaitSingle()
        }
        return FanOut.answer(results)
    }
}

package threadgauge.server.ktor.backends

import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.util.getOrFail
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.withContext
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy
import threadgauge.server.ktor.query

/** A blocking strategy runs on `Dispatchers.IO`; the others hold no thread. */
internal fun Route.fanOuts(fanOut: FanOut) {
    get("/{strategy}/{ms}") {
        val path = call.pathParameters
        val (chosen, parsed) =
            fanOut.parse(path.getOrFail("strategy"), path.getOrFail("ms"), call.query("calls"), call.query("n"))
        val results = when (chosen) {
            is Strategy.Blocking -> withContext(Dispatchers.IO) { chosen.results(parsed) }
            is Strategy.Suspending -> chosen.results(parsed)
            is Strategy.Reactive -> chosen.results(parsed).awaitSingle()
        }
        call.respondText(FanOut.answer(results))
    }
}

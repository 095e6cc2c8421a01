package threadgauge.server.helidon.more

import io.helidon.webserver.http.HttpRouting
import io.helidon.webserver.http.ServerRequest
import kotlinx.coroutines.runBlocking
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.helidon.parameter
import threadgauge.server.helidon.problem
import threadgauge.server.helidon.serve
import threadgauge.server.helidon.text
import threadgauge.server.work.Problem

/**
 * Endpoints that call a slow backend. The virtual thread of the request waits for the results, whatever the strategy.
 */
internal fun HttpRouting.Builder.backends(upstream: String) {
    val fanOut = FanOut(upstream)
    userPages(UpstreamClient(upstream))
    serve("/fanout/{strategy}/{ms}") { request, answer ->
        val (chosen, parsed) = fanOut.parse(
            request.parameter("strategy"), request.parameter("ms"), request.inQuery("calls"), request.inQuery("n"),
        )
        val results = when (chosen) {
            is Strategy.Blocking -> chosen.results(parsed)
            is Strategy.Suspending -> runBlocking { chosen.results(parsed) }
            is Strategy.Reactive -> checkNotNull(chosen.results(parsed).block())
        }
        answer.text(FanOut.answer(results))
    }
    error(UpstreamFailed::class.java) { _, answer, _ -> answer.problem(Problem.badGateway) }
}

/** A parameter of the query, or null. Duplicates are joined with commas, as in Spring, and so are no number. */
internal fun ServerRequest.inQuery(name: String): String? =
    query().takeIf { it.contains(name) }?.all(name)?.joinToString(",")

package threadgauge.server.vertx.more

import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.coAwait
import kotlinx.coroutines.reactor.awaitSingle
import threadgauge.server.backends.FanOut
import threadgauge.server.backends.Strategy
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.vertx.answer
import threadgauge.server.vertx.text
import threadgauge.server.work.Problem

/** A blocking strategy runs on the worker pool; the others hold no thread. */
internal fun CoroutineRouterSupport.fanOuts(router: Router, fanOut: FanOut) {
    router.get("/fanout/:strategy/:ms").coHandler { call ->
        val (chosen, parsed) =
            fanOut.parse(call.pathParam("strategy"), call.pathParam("ms"), call.inQuery("calls"), call.inQuery("n"))
        val results = when (chosen) {
            is Strategy.Blocking -> call.vertx().executeBlocking({ chosen.results(parsed) }, false).coAwait()
            is Strategy.Suspending -> chosen.results(parsed)
            is Strategy.Reactive -> chosen.results(parsed).awaitSingle()
        }
        call.text(FanOut.answer(results))
    }
}

/** Answers a failure of the upstream with the problem document that all stacks share. */
internal fun answerUpstreamFailed(router: Router) {
    router.route().failureHandler { if (it.failure() is UpstreamFailed) it.answer(Problem.badGateway) else it.next() }
}

/** A parameter of the query, or null. Duplicates are joined with commas, as in Spring, and so are no number. */
internal fun RoutingContext.inQuery(name: String): String? =
    queryParam(name).takeIf { it.isNotEmpty() }?.joinToString(",")

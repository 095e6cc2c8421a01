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

/** A strategy that blocks belongs on the worker pool; the others hold no thread. */
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

/** Says that the upstream failed in the words that all stacks share. */
internal fun answerUpstreamFailed(router: Router) {
    router.route().failureHandler { if (it.failure() is UpstreamFailed) it.answer(Problem.badGateway) else it.next() }
}

/** A parameter of the query, or null. Given twice it is one text, as Spring has it, and so no number. */
internal fun RoutingContext.inQuery(name: String): String? = queryParam(name).takeIf { it.isNotEmpty() }?.joinToString(",")

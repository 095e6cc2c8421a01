package threadgauge.server.vertx

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import io.vertx.kotlin.coroutines.CoroutineRouterSupport
import io.vertx.kotlin.coroutines.coAwait
import kotlinx.coroutines.delay
import threadgauge.server.work.HELLO
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

/** Handlers are coroutines on the event loop: a wait suspends, and a blocking call runs on the worker pool. */
fun CoroutineRouterSupport.endpoints(router: Router, selfReport: SelfReport, registry: PrometheusMeterRegistry) {
    router.get("/hello").coHandler { it.text(HELLO) }

    router.get("/delay/:ms").coHandler {
        val ms = it.ms
        delay(ms)
        it.text(waited(ms))
    }

    // The mistake: it blocks the event loop, and with it every connection that it serves.
    router.get("/block/:ms").coHandler {
        val ms = it.ms
        blockThread(ms)
        it.text(blocked(ms))
    }

    // Not ordered: ordered blocking calls of one context would wait for each other.
    router.get("/offload/:ms").coHandler {
        val ms = it.ms
        it.vertx().executeBlocking({ blockThread(ms) }, false).coAwait()
        it.text(offloaded(ms))
    }

    router.get("/api/random/string/:length").coHandler { it.text(randomString(lengthOf(it.pathParam("length")))) }

    router.get("/runtime").coHandler {
        it.response().putHeader("Content-Type", "application/json").end(selfReport.now(it.request()).json)
    }

    router.get("/metrics").coHandler { it.text(registry.scrape()) }
}

/** Does not wait until the answer is written, as in Vert.x' examples: nothing follows it. */
fun RoutingContext.text(body: String) {
    response().putHeader("Content-Type", "text/plain;charset=UTF-8").end(body)
}

private val RoutingContext.ms: Long get() = millisOf(pathParam("ms"))

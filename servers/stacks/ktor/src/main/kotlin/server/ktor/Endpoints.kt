package threadgauge.server.ktor

import io.ktor.http.ContentType
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.get
import io.ktor.server.util.getOrFail
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import threadgauge.server.work.HELLO
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

/** Handlers are coroutines on the engine's threads: a wait suspends, and a blocking call runs on `Dispatchers.IO`. */
fun Route.endpoints(selfReport: SelfReport, registry: PrometheusMeterRegistry) {
    get("/hello") { call.respondText(HELLO) }

    get("/delay/{ms}") {
        val ms = call.ms
        delay(ms)
        call.respondText(waited(ms))
    }

    // The mistake: it blocks the thread, and with it every connection that it serves.
    get("/block/{ms}") {
        val ms = call.ms
        blockThread(ms)
        call.respondText(blocked(ms))
    }

    get("/offload/{ms}") {
        val ms = call.ms
        withContext(Dispatchers.IO) { blockThread(ms) }
        call.respondText(offloaded(ms))
    }

    get("/api/random/string/{length}") {
        call.respondText(randomString(lengthOf(call.pathParameters.getOrFail("length"))))
    }

    get("/runtime") { call.respondText(selfReport.now(call).json, ContentType.Application.Json) }

    get("/metrics") { call.respondText(registry.scrape()) }
}

private val RoutingCall.ms: Long get() = millisOf(pathParameters.getOrFail("ms"))

package threadgauge.server.helidon

import io.helidon.http.HeaderNames
import io.helidon.http.HeaderValues
import io.helidon.http.HttpMediaTypes
import io.helidon.webserver.http.Handler
import io.helidon.webserver.http.HttpRouting
import io.helidon.webserver.http.ServerRequest
import io.helidon.webserver.http.ServerResponse
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import threadgauge.server.work.HELLO
import threadgauge.server.work.blockThread
import threadgauge.server.work.blocked
import threadgauge.server.work.lengthOf
import threadgauge.server.work.millisOf
import threadgauge.server.work.offloaded
import threadgauge.server.work.randomString
import threadgauge.server.work.waited

/**
 * Each request has a virtual thread, so a handler waits by blocking it. No other thread is better for a blocking call,
 * so `/delay`, `/block` and `/offload` do the same here.
 */
fun HttpRouting.Builder.endpoints(selfReport: SelfReport, registry: PrometheusMeterRegistry) {
    serve("/hello") { _, answer -> answer.text(HELLO) }

    serve("/delay/{ms}") { request, answer ->
        val ms = request.ms
        blockThread(ms)
        answer.text(waited(ms))
    }

    serve("/block/{ms}") { request, answer ->
        val ms = request.ms
        blockThread(ms)
        answer.text(blocked(ms))
    }

    serve("/offload/{ms}") { request, answer ->
        val ms = request.ms
        blockThread(ms)
        answer.text(offloaded(ms))
    }

    serve("/api/random/string/{length}") { request, answer ->
        answer.text(randomString(lengthOf(request.parameter("length"))))
    }

    serve("/runtime") { _, answer -> answer.json(selfReport.now().json) }

    serve("/metrics") { _, answer -> answer.text(registry.scrape()) }
}

/** Other methods get 405. By default Helidon answers them with 404, as if the path were unknown. */
fun HttpRouting.Builder.serve(path: String, handler: Handler) {
    get(path, handler)
    any(path, Handler { _, answer -> answer.methodNotAllowed() })
}

/**
 * As Helidon's quickstart does: Helidon adds the content type of texts. If the handler added it, Helidon would parse it
 * for each answer, which costs a fourteenth of the throughput of `/hello`.
 */
fun ServerResponse.text(body: String) = send(body)

fun ServerResponse.json(body: String) {
    header(JSON)
    send(body)
}

/** Encoded once, as Helidon's own header values. */
private val JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, HttpMediaTypes.JSON.text())

private val ServerRequest.ms: Long get() = millisOf(parameter("ms"))

fun ServerRequest.parameter(name: String): String = path().pathParameters().get(name)

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
 * Each request has a virtual thread of its own, so a handler waits by blocking it. There is nowhere better to move a blocking call to,
 * which is why `/delay`, `/block` and `/offload` do the same here.
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

    serve("/api/random/string/{length}") { request, answer -> answer.text(randomString(lengthOf(request.parameter("length")))) }

    serve("/runtime") { _, answer -> answer.json(selfReport.now().json) }

    serve("/metrics") { _, answer -> answer.text(registry.scrape()) }
}

/** Helidon would answer another method with 404, as if there were no such path. */
fun HttpRouting.Builder.serve(path: String, handler: Handler) {
    get(path, handler)
    any(path, Handler { _, answer -> answer.methodNotAllowed() })
}

/**
 * As its quickstart does: Helidon itself says of a text that it is one. Told so by the handler it would read what it was told, for each
 * answer, which takes a fourteenth of what `/hello` serves.
 */
fun ServerResponse.text(body: String) = send(body)

fun ServerResponse.json(body: String) {
    header(JSON)
    send(body)
}

/** Encoded once, as the values are that Helidon knows by itself. */
private val JSON = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, HttpMediaTypes.JSON.text())

private val ServerRequest.ms: Long get() = millisOf(parameter("ms"))

fun ServerRequest.parameter(name: String): String = path().pathParameters().get(name)

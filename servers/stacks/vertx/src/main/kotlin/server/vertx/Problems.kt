package threadgauge.server.vertx

import io.netty.handler.codec.http.TooLongHttpHeaderException
import io.netty.handler.codec.http.TooLongHttpLineException
import io.vertx.core.http.HttpServerRequest
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/** Answers invalid requests with the problem documents that all stacks share. */
fun Router.answerInvalidRequests() {
    route().failureHandler { context ->
        val mistake = context.failure()
        if (mistake is BadRequest) context.answer(Problem.of(mistake)) else context.next()
    }
    // The router rejects a path that cannot be decoded.
    errorHandler(400) { it.answer(checkNotNull(Problem.ofUnread(400))) }
    errorHandler(404) { it.answer(Problem.notFound) }
    errorHandler(405) {
        it.response().putHeader("Allow", "GET")
        it.answer(Problem.methodNotAllowed)
    }
}

/** Vert.x rejects the request and closes the connection, as shipped. Only the body is that of all stacks. */
internal fun answerUnread(request: HttpServerRequest) {
    val status = when (request.decoderResult().cause()) {
        is TooLongHttpLineException -> 414
        is TooLongHttpHeaderException -> 431
        else -> 400
    }
    val problem = checkNotNull(Problem.ofUnread(status))
    request.response().setStatusCode(status)
        .putHeader("Content-Type", "application/problem+json").putHeader("Connection", "close")
        .end(problem.json).onComplete { request.connection().close() }
}

fun RoutingContext.answer(problem: Problem) {
    response().setStatusCode(problem.status).putHeader("Content-Type", "application/problem+json").end(problem.json)
}

package threadgauge.server.vertx

import io.netty.handler.codec.http.TooLongHttpHeaderException
import io.netty.handler.codec.http.TooLongHttpLineException
import io.vertx.core.http.HttpServerRequest
import io.vertx.ext.web.Router
import io.vertx.ext.web.RoutingContext
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/** Says what was wrong with a request in the words that all stacks share. */
fun Router.answerMistakes() {
    route().failureHandler { context ->
        val mistake = context.failure()
        if (mistake is BadRequest) context.answer(Problem.of(mistake)) else context.next()
    }
    // A path that cannot be decoded is met by the router.
    errorHandler(400) { it.answer(checkNotNull(Problem.ofUnread(400))) }
    errorHandler(404) { it.answer(Problem.notFound) }
    errorHandler(405) {
        it.response().putHeader("Allow", "GET")
        it.answer(Problem.methodNotAllowed)
    }
}

/** What Vert.x does as shipped, which is to find out what is too long, to answer and to close; with the body that all stacks share. */
internal fun answerUnread(request: HttpServerRequest) {
    val status = when (request.decoderResult().cause()) {
        is TooLongHttpLineException -> 414
        is TooLongHttpHeaderException -> 431
        else -> 400
    }
    val problem = checkNotNull(Problem.ofUnread(status))
    request.response().setStatusCode(status).putHeader("Content-Type", "application/problem+json").putHeader("Connection", "close")
        .end(problem.json).onComplete { request.connection().close() }
}

fun RoutingContext.answer(problem: Problem) {
    response().setStatusCode(problem.status).putHeader("Content-Type", "application/problem+json").end(problem.json)
}

package threadgauge.server.vertx

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
    errorHandler(404) { it.answer(Problem.notFound) }
    errorHandler(405) {
        it.response().putHeader("Allow", "GET")
        it.answer(Problem.methodNotAllowed)
    }
}

fun RoutingContext.answer(problem: Problem) {
    response().setStatusCode(problem.status).putHeader("Content-Type", "application/problem+json").end(problem.json)
}

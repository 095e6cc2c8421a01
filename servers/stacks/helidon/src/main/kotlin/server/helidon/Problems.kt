package threadgauge.server.helidon

import io.helidon.http.HeaderNames
import io.helidon.http.Method
import io.helidon.http.Status
import io.helidon.webserver.http.Handler
import io.helidon.webserver.http.HttpRouting
import io.helidon.webserver.http.ServerResponse
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/**
 * Answers invalid requests with the problem documents that all stacks share. Must follow the endpoints, because its
 * route matches every path.
 */
fun HttpRouting.Builder.answerInvalidRequests() {
    error(BadRequest::class.java) { _, answer, mistake -> answer.problem(Problem.of(mistake)) }
    any(Handler { _, answer -> answer.problem(Problem.notFound) })
}

fun ServerResponse.methodNotAllowed(allowed: String = Method.GET_NAME) {
    header(HeaderNames.ALLOW, allowed)
    problem(Problem.methodNotAllowed(allowed))
}

fun ServerResponse.problem(problem: Problem) {
    status(Status.create(problem.status))
    header(HeaderNames.CONTENT_TYPE, "application/problem+json")
    send(problem.json)
}

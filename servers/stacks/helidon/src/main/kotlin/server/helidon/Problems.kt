package threadgauge.server.helidon

import io.helidon.http.HeaderNames
import io.helidon.http.Method
import io.helidon.http.Status
import io.helidon.webserver.http.Handler
import io.helidon.webserver.http.HttpRouting
import io.helidon.webserver.http.ServerResponse
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/** Says what was wrong with a request in the words that all stacks share. To be called after the endpoints: the last route takes all. */
fun HttpRouting.Builder.answerMistakes() {
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

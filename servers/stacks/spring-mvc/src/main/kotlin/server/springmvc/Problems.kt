package threadgauge.server.springmvc

import org.springframework.http.HttpMethod
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.web.HttpRequestMethodNotSupportedException
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.RestControllerAdvice
import org.springframework.web.servlet.resource.NoResourceFoundException
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/** Answers invalid requests with the problem documents that all stacks share. */
@RestControllerAdvice
class Problems {
    @ExceptionHandler
    fun badRequest(mistake: BadRequest) = answer(Problem.of(mistake))

    @ExceptionHandler(NoResourceFoundException::class)
    fun notFound() = answer(Problem.notFound)

    /** For an unknown path Spring would look for a file, which accepts GET and HEAD. */
    @ExceptionHandler
    fun methodNotAllowed(mistake: HttpRequestMethodNotSupportedException): ResponseEntity<String> {
        val allowed = mistake.supportedHttpMethods?.singleOrNull() ?: HttpMethod.GET
        return answer(Problem.methodNotAllowed(allowed.name())) { allow(allowed) }
    }

    private fun answer(problem: Problem, more: ResponseEntity.BodyBuilder.() -> Unit = {}): ResponseEntity<String> =
        ResponseEntity.status(problem.status).contentType(MediaType.APPLICATION_PROBLEM_JSON)
            .apply(more).body(problem.json)
}

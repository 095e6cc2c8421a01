package threadgauge.server.spring.coroutine.backends

import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.RestControllerAdvice
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.work.Problem

/** Answers a failure of the upstream with the problem document that all stacks share. */
@RestControllerAdvice
class BackendProblems {
    @ExceptionHandler(UpstreamFailed::class)
    fun badGateway(): ResponseEntity<String> = ResponseEntity.status(Problem.badGateway.status)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON).body(Problem.badGateway.json)
}

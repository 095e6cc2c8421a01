package threadgauge.server.features

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.bind.annotation.RestControllerAdvice
import threadgauge.server.work.Features
import threadgauge.server.work.KnownFailure
import threadgauge.server.work.Problem
import threadgauge.server.work.failAsKnown
import threadgauge.server.work.failUnexpectedly

/** Endpoints whose handlers throw. */
@RestController
@ConditionalOnBooleanProperty(Features.ERROR_PAGES)
class Failures {
    @GetMapping("/fail/known")
    fun known(): String = failAsKnown()

    @GetMapping("/fail/unexpected")
    fun unexpected(): String = failUnexpectedly()
}

/** For this controller alone. For all controllers, it would override other handlers of exceptions. */
@RestControllerAdvice(assignableTypes = [Failures::class])
@ConditionalOnBooleanProperty(Features.ERROR_PAGES)
class ErrorPages {
    @ExceptionHandler(KnownFailure::class)
    fun conflict() = answer(Problem.conflict)

    @ExceptionHandler(Exception::class)
    fun unexpected() = answer(Problem.unexpected)

    private fun answer(problem: Problem): ResponseEntity<String> =
        ResponseEntity.status(problem.status).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem.json)
}

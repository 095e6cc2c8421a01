package threadgauge.server.webflux.customers

import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.RestControllerAdvice
import org.springframework.web.server.ContentTooLargeException
import org.springframework.web.server.NotAcceptableStatusException
import org.springframework.web.server.ServerWebInputException
import org.springframework.web.server.UnsupportedMediaTypeStatusException
import threadgauge.server.work.Customers
import threadgauge.server.work.Problem

/** Answers invalid bodies with the problem documents that all stacks share. Only customers have a body. */
@RestControllerAdvice
class CustomerProblems {
    @ExceptionHandler(ServerWebInputException::class)
    fun notACustomer() = answer(Problem.of(Customers.notACustomer))

    @ExceptionHandler(UnsupportedMediaTypeStatusException::class)
    fun unsupportedMediaType() = answer(Problem.unsupportedMediaType)

    @ExceptionHandler(NotAcceptableStatusException::class)
    fun notAcceptable() = answer(Problem.notAcceptable)

    @ExceptionHandler(ContentTooLargeException::class)
    fun contentTooLarge() = answer(Problem.contentTooLarge)

    private fun answer(problem: Problem): ResponseEntity<String> =
        ResponseEntity.status(problem.status).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem.json)
}

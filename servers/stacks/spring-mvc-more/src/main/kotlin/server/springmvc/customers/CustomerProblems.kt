package threadgauge.server.springmvc.customers

import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.http.converter.HttpMessageNotReadableException
import org.springframework.web.HttpMediaTypeNotAcceptableException
import org.springframework.web.HttpMediaTypeNotSupportedException
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.RestControllerAdvice
import org.springframework.web.multipart.MultipartException
import org.springframework.web.server.ContentTooLargeException
import threadgauge.server.work.Customers
import threadgauge.server.work.Problem

/** Answers invalid bodies with the problem documents that all stacks share. Only customers have a body. */
@RestControllerAdvice
class CustomerProblems {
    @ExceptionHandler(HttpMessageNotReadableException::class)
    fun notACustomer() = answer(Problem.of(Customers.notACustomer))

    /** Multipart bodies without a boundary are rejected before Spring looks for the endpoint. */
    @ExceptionHandler(HttpMediaTypeNotSupportedException::class, MultipartException::class)
    fun unsupportedMediaType() = answer(Problem.unsupportedMediaType)

    @ExceptionHandler(HttpMediaTypeNotAcceptableException::class)
    fun notAcceptable() = answer(Problem.notAcceptable)

    @ExceptionHandler(ContentTooLargeException::class)
    fun contentTooLarge() = answer(Problem.contentTooLarge)

    private fun answer(problem: Problem): ResponseEntity<String> =
        ResponseEntity.status(problem.status).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem.json)
}

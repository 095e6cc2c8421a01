package threadgauge.server.quarkus

import jakarta.ws.rs.NotAllowedException
import jakarta.ws.rs.NotFoundException
import jakarta.ws.rs.core.HttpHeaders
import org.jboss.resteasy.reactive.RestResponse
import org.jboss.resteasy.reactive.server.ServerExceptionMapper
import threadgauge.server.work.BadRequest
import threadgauge.server.work.Problem

/** Media type with its charset, which every stack names. */
const val TEXT = "text/plain;charset=UTF-8"

/** Answers invalid requests with the problem documents that all stacks share. */
class Problems {
    @ServerExceptionMapper
    fun badRequest(mistake: BadRequest) = answer(Problem.of(mistake)).build()

    @ServerExceptionMapper(NotFoundException::class)
    fun notFound() = answer(Problem.notFound).build()

    @ServerExceptionMapper(NotAllowedException::class)
    fun methodNotAllowed() = answer(Problem.methodNotAllowed).header(HttpHeaders.ALLOW, "GET").build()
}

fun answer(problem: Problem): RestResponse.ResponseBuilder<String> =
    RestResponse.ResponseBuilder.create<String>(problem.status).type("application/problem+json").entity(problem.json)

package threadgauge.server.quarkus.more

import jakarta.ws.rs.NotAcceptableException
import jakarta.ws.rs.NotAllowedException
import jakarta.ws.rs.NotSupportedException
import jakarta.ws.rs.Priorities
import jakarta.ws.rs.core.HttpHeaders
import jakarta.ws.rs.core.UriInfo
import org.jboss.resteasy.reactive.RestResponse
import org.jboss.resteasy.reactive.server.ServerExceptionMapper
import threadgauge.server.backends.UpstreamFailed
import threadgauge.server.quarkus.answer
import threadgauge.server.work.Problem

/** Problem documents for errors that the plain edition does not have. */
class MoreProblems {
    @ServerExceptionMapper(UpstreamFailed::class)
    fun badGateway(): RestResponse<String> = answer(Problem.badGateway).build()

    @ServerExceptionMapper(NotSupportedException::class)
    fun unsupportedMediaType(): RestResponse<String> = answer(Problem.unsupportedMediaType).build()

    @ServerExceptionMapper(NotAcceptableException::class)
    fun notAcceptable(): RestResponse<String> = answer(Problem.notAcceptable).build()

    /** Precedes the mapper of the plain edition, whose paths all accept only `GET`. */
    @ServerExceptionMapper(NotAllowedException::class, priority = Priorities.USER - 1)
    fun methodNotAllowed(where: UriInfo): RestResponse<String> {
        val allowed = if (where.path == "/customers") "POST" else "GET"
        return answer(Problem.methodNotAllowed(allowed)).header(HttpHeaders.ALLOW, allowed).build()
    }
}

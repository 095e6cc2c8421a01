package threadgauge.server.helidon

import io.helidon.http.DirectHandler
import io.helidon.http.DirectHandler.EventType
import io.helidon.http.DirectHandler.TransportRequest
import io.helidon.http.DirectHandler.TransportResponse
import io.helidon.http.HeaderNames
import io.helidon.http.ServerResponseHeaders
import io.helidon.http.Status
import io.helidon.webserver.http.DirectHandlers
import threadgauge.server.work.Problem

/**
 * Answers requests that never reach the routing with the problem documents that all stacks share. Otherwise as shipped.
 */
internal val unreadRequests: DirectHandlers = DirectHandlers.builder()
    .addHandler(EventType.BAD_REQUEST, UnreadRequest)
    .addHandler(EventType.OTHER, UnreadRequest)
    .build()

private object UnreadRequest : DirectHandler {
    override fun handle(
        request: TransportRequest,
        type: EventType,
        status: Status,
        headers: ServerResponseHeaders,
        message: String?,
    ): TransportResponse {
        val problem = Problem.ofUnread(status.code())
            ?: return DirectHandler.defaultHandler().handle(request, type, status, headers, message)
        return TransportResponse.builder().status(status).headers(headers)
            .header(HeaderNames.CONTENT_TYPE, "application/problem+json")
            .entity(problem.json).keepAlive(type.keepAlive()).build()
    }
}

package threadgauge.tickets.service.http

import java.util.UUID
import org.springframework.stereotype.Component
import org.springframework.web.server.ServerWebExchange
import org.springframework.web.server.WebFilter
import org.springframework.web.server.WebFilterChain
import reactor.core.publisher.Mono

/** Header with an ID that the client gives a request. The response has it as well. */
internal const val REQUEST_ID = "X-Request-Id"

/** The ID in [header]; null if it is not 1 to 100 visible ASCII characters, because it is written to the log. */
internal fun requestIdOf(header: String?): String? =
    header?.takeIf { it.length in 1..MAX_LENGTH && it.all { c -> c in '!'..'~' } }

/** For a failed request without an ID. */
internal fun newRequestId(): String = "${UUID.randomUUID()}"

private const val MAX_LENGTH = 100

/** Copies the ID to every response of the framework; [ReserveHandler] does so itself. */
@Component
class RequestIdFilter : WebFilter {
    override fun filter(exchange: ServerWebExchange, chain: WebFilterChain): Mono<Void> {
        requestIdOf(exchange.request.headers.getFirst(REQUEST_ID))?.let { exchange.response.headers[REQUEST_ID] = it }
        return chain.filter(exchange)
    }
}

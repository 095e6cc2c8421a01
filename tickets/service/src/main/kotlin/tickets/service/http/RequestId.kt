package threadgauge.tickets.service.http

import org.springframework.stereotype.Component
import org.springframework.web.server.ServerWebExchange
import org.springframework.web.server.WebFilter
import org.springframework.web.server.WebFilterChain
import reactor.core.publisher.Mono
import java.util.UUID

/** The header in which a caller names a request, and in which the answer has that name. */
internal const val REQUEST_ID = "X-Request-Id"

/** What the caller calls the request by [header]; null where it is not 1 to 100 visible characters, which is no name to put into a log. */
internal fun requestIdOf(header: String?): String? = header?.takeIf { it.length in 1..MAX_LENGTH && it.all { c -> c in '!'..'~' } }

/** For a request that has no name and needs one. */
internal fun newRequestId(): String = "${UUID.randomUUID()}"

private const val MAX_LENGTH = 100

/** Gives the name back with every answer of the framework; [ReserveHandler] does so by itself. */
@Component
class RequestIdFilter : WebFilter {
    override fun filter(exchange: ServerWebExchange, chain: WebFilterChain): Mono<Void> {
        requestIdOf(exchange.request.headers.getFirst(REQUEST_ID))?.let { exchange.response.headers[REQUEST_ID] = it }
        return chain.filter(exchange)
    }
}

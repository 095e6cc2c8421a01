package threadgauge.server.webflux.features

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.core.Ordered
import org.springframework.core.annotation.Order
import org.springframework.http.HttpStatus
import org.springframework.stereotype.Component
import org.springframework.web.server.ServerWebExchange
import org.springframework.web.server.WebFilter
import org.springframework.web.server.WebFilterChain
import org.springframework.web.util.UriComponentsBuilder
import reactor.core.publisher.Mono
import threadgauge.server.work.Features

/**
 * Redirects plain HTTP to the same host and path on the default port of HTTPS. Reactor Netty reads the protocol from a
 * proxy's headers (`server.forward-headers-strategy`). Spring Security is not used, because it redirects with 302 and
 * brings much else.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnBooleanProperty(Features.HTTPS_REDIRECT)
class HttpsRedirect : WebFilter {
    override fun filter(exchange: ServerWebExchange, chain: WebFilterChain): Mono<Void> {
        val uri = exchange.request.uri
        if (uri.scheme == "https") return chain.filter(exchange)
        exchange.response.setStatusCode(HttpStatus.MOVED_PERMANENTLY)
        exchange.response.headers.location =
            UriComponentsBuilder.fromUri(uri).scheme("https").port(null).build(true).toUri()
        return exchange.response.setComplete()
    }
}

package threadgauge.server.springmvc.features

import jakarta.servlet.FilterChain
import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.HttpServletResponse
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.core.Ordered
import org.springframework.core.annotation.Order
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.stereotype.Component
import org.springframework.web.filter.OncePerRequestFilter
import org.springframework.web.servlet.support.ServletUriComponentsBuilder
import threadgauge.server.work.Features

/**
 * Redirects plain HTTP to the same host and path on the default port of HTTPS. Tomcat reads the protocol from a proxy's
 * headers (`server.forward-headers-strategy`). Spring Security is not used, because it redirects with 302 and brings
 * much else.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnBooleanProperty(Features.HTTPS_REDIRECT)
class HttpsRedirect : OncePerRequestFilter() {
    override fun doFilterInternal(request: HttpServletRequest, response: HttpServletResponse, chain: FilterChain) {
        if (request.isSecure) return chain.doFilter(request, response)
        val there = ServletUriComponentsBuilder.fromRequest(request).scheme("https").port(null).build().toUriString()
        response.status = HttpStatus.MOVED_PERMANENTLY.value()
        response.setHeader(HttpHeaders.LOCATION, there)
    }
}

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
 * Sends who did not come by TLS to the same host and path with TLS, on the port that is usual for it. Whether a proxy spoke TLS, Tomcat
 * finds out (`server.forward-headers-strategy`). Not by Spring Security, which would send them by 302 and brings much else.
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

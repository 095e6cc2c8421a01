package threadgauge.server.springmvc.features

import jakarta.servlet.FilterChain
import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.HttpServletResponse
import java.util.concurrent.atomic.LongAdder
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.web.filter.OncePerRequestFilter
import org.springframework.web.servlet.HandlerInterceptor
import org.springframework.web.servlet.config.annotation.CorsRegistry
import org.springframework.web.servlet.config.annotation.InterceptorRegistry
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer
import threadgauge.server.features.ErrorPages
import threadgauge.server.features.Failures
import threadgauge.server.features.Pages
import threadgauge.server.work.Features

/**
 * The features that need code. Compression, TLS, HTTP/2 and call logging are properties of Spring Boot and Tomcat, in
 * `stacks.yaml` alone.
 */
@Configuration
@Import(Failures::class, ErrorPages::class, Pages::class)
class SwitchedOn {
    @Bean
    @ConditionalOnBooleanProperty(Features.DEFAULT_HEADERS)
    fun defaultHeaders() = object : OncePerRequestFilter() {
        override fun doFilterInternal(request: HttpServletRequest, response: HttpServletResponse, chain: FilterChain) {
            response.setHeader(Features.SERVED_BY, Features.SERVED_BY_VALUE)
            chain.doFilter(request, response)
        }
    }

    /** Every call has a session of Tomcat. */
    @Bean
    @ConditionalOnBooleanProperty(Features.SESSIONS)
    fun sessions() = object : OncePerRequestFilter() {
        override fun doFilterInternal(request: HttpServletRequest, response: HttpServletResponse, chain: FilterChain) {
            val session = request.session
            if (session.getAttribute(Features.SINCE) == null) {
                session.setAttribute(Features.SINCE, System.currentTimeMillis())
            }
            chain.doFilter(request, response)
        }
    }

    @Bean
    @ConditionalOnBooleanProperty(Features.CORS)
    fun cors() = object : WebMvcConfigurer {
        override fun addCorsMappings(registry: CorsRegistry) {
            registry.addMapping("/**").allowedOrigins(Features.ORIGIN)
        }
    }

    @Bean
    @ConditionalOnBooleanProperty(Features.INTERCEPTOR)
    fun interceptor() = object : WebMvcConfigurer {
        override fun addInterceptors(registry: InterceptorRegistry) {
            registry.addInterceptor(Stopwatch())
        }
    }
}

/** Measures the time of every call. */
private class Stopwatch : HandlerInterceptor {
    private val nanos = LongAdder()

    override fun preHandle(request: HttpServletRequest, response: HttpServletResponse, handler: Any): Boolean {
        request.setAttribute(BEGAN, System.nanoTime())
        response.setHeader(Features.INTERCEPTED, "yes")
        return true
    }

    override fun afterCompletion(
        request: HttpServletRequest,
        response: HttpServletResponse,
        handler: Any,
        failure: Exception?,
    ) {
        (request.getAttribute(BEGAN) as? Long)?.let { nanos.add(System.nanoTime() - it) }
    }

    private companion object {
        const val BEGAN = "threadgauge.began"
    }
}

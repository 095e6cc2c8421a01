package threadgauge.server.webflux.features

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpMethod
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.security.authentication.ReactiveAuthenticationManager
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager
import org.springframework.security.config.web.server.SecurityWebFiltersOrder
import org.springframework.security.config.web.server.ServerHttpSecurity
import org.springframework.security.config.web.server.ServerHttpSecurityDsl
import org.springframework.security.config.web.server.invoke
import org.springframework.security.core.AuthenticationException
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService
import org.springframework.security.oauth2.jose.jws.MacAlgorithm
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder
import org.springframework.security.web.server.SecurityWebFilterChain
import org.springframework.security.web.server.ServerAuthenticationEntryPoint
import org.springframework.security.web.server.authentication.AuthenticationWebFilter
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler
import org.springframework.security.web.server.authentication.ServerFormLoginAuthenticationConverter
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers
import org.springframework.web.server.ServerWebExchange
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import threadgauge.server.features.ConstantTimePasswords
import threadgauge.server.features.knownUser
import threadgauge.server.features.tokenKey
import threadgauge.server.work.Credentials
import threadgauge.server.work.Features
import threadgauge.server.work.Problem

/** Requests must carry user and password. */
@Configuration
@ConditionalOnBooleanProperty(Features.BASIC)
class BasicAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.requireCredentials("Basic") { entryPoint ->
        securityContextRepository = noSessions
        httpBasic { authenticationEntryPoint = entryPoint }
    }

    @Bean
    fun manager() = passwordManager()
}

/** Requests must carry a signed token. */
@Configuration
@ConditionalOnBooleanProperty(Features.JWT)
class TokenAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.requireCredentials("Bearer") { entryPoint ->
        securityContextRepository = noSessions
        oauth2ResourceServer {
            authenticationEntryPoint = entryPoint
            jwt { }
        }
    }

    @Bean
    fun decoder(): ReactiveJwtDecoder =
        NimbusReactiveJwtDecoder.withSecretKey(tokenKey).macAlgorithm(MacAlgorithm.HS256).build()
}

/** Requests must carry the cookie of a session that began with user and password. */
@Configuration
@ConditionalOnBooleanProperty(Features.SESSION_LOGIN)
class SessionAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.requireCredentials("Form") { entryPoint ->
        securityContextRepository = sessions
        addFilterAt(login(entryPoint), SecurityWebFiltersOrder.FORM_LOGIN)
    }

    /** The filter of `formLogin`, because only here the names of the parameters can be changed. */
    private fun login(entryPoint: UnauthorizedEntryPoint): AuthenticationWebFilter {
        val form = ServerFormLoginAuthenticationConverter()
        form.setUsernameParameter("user")
        form.setPasswordParameter("password")
        return AuthenticationWebFilter(passwordManager()).apply {
            setRequiresAuthenticationMatcher(ServerWebExchangeMatchers.pathMatchers(HttpMethod.POST, Features.LOGIN))
            setServerAuthenticationConverter(form)
            setSecurityContextRepository(sessions)
            setAuthenticationSuccessHandler(noContent)
            setAuthenticationFailureHandler(ServerAuthenticationEntryPointFailureHandler(entryPoint))
        }
    }

    private val sessions = WebSessionServerSecurityContextRepository()

    private val noContent = ServerAuthenticationSuccessHandler { login, _ ->
        login.exchange.response.setStatusCode(HttpStatus.NO_CONTENT)
        login.exchange.response.setComplete()
    }
}

/** By default each request would create a session, without storing anything in it. */
private val noSessions get() = NoOpServerSecurityContextRepository.getInstance()

/**
 * Runs on the event loop, because without a hash there is nothing to compute. By default Spring Security moves each
 * request to a pool for slow hashes, and the handler would run on that pool.
 */
private fun passwordManager(): ReactiveAuthenticationManager =
    UserDetailsRepositoryReactiveAuthenticationManager(MapReactiveUserDetailsService(knownUser)).apply {
        setPasswordEncoder(ConstantTimePasswords())
        setScheduler(Schedulers.immediate())
    }

/** Without CSRF protection: no browser page calls this server, and the form of the load has no CSRF token. */
private fun ServerHttpSecurity.requireCredentials(
    scheme: String,
    how: ServerHttpSecurityDsl.(UnauthorizedEntryPoint) -> Unit,
): SecurityWebFilterChain {
    val entryPoint = UnauthorizedEntryPoint(scheme)
    return invoke {
        authorizeExchange { authorize(anyExchange, authenticated) }
        exceptionHandling { authenticationEntryPoint = entryPoint }
        csrf { disable() }
        how(entryPoint)
    }
}

/** Answers with 401 and the problem document that all stacks share. */
private class UnauthorizedEntryPoint(scheme: String) : ServerAuthenticationEntryPoint {
    private val challenge = Credentials.challenge(scheme)
    private val body = Problem.unauthorized.json.toByteArray()

    override fun commence(exchange: ServerWebExchange, failure: AuthenticationException): Mono<Void> {
        val response = exchange.response
        response.setStatusCode(HttpStatus.UNAUTHORIZED)
        response.headers.set(HttpHeaders.WWW_AUTHENTICATE, challenge)
        response.headers.contentType = MediaType.APPLICATION_PROBLEM_JSON
        response.headers.contentLength = body.size.toLong()
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)))
    }
}

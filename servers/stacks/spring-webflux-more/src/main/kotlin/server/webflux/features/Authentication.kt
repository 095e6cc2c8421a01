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

/** Who calls must send user and password each time. */
@Configuration
@ConditionalOnBooleanProperty(Features.BASIC)
class BasicAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.forEveryone("Basic") { refusal ->
        securityContextRepository = noSessions
        httpBasic { authenticationEntryPoint = refusal }
    }

    @Bean
    fun manager() = passwordManager()
}

/** Who calls must send a signed token each time. */
@Configuration
@ConditionalOnBooleanProperty(Features.JWT)
class TokenAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.forEveryone("Bearer") { refusal ->
        securityContextRepository = noSessions
        oauth2ResourceServer {
            authenticationEntryPoint = refusal
            jwt { }
        }
    }

    @Bean
    fun decoder(): ReactiveJwtDecoder = NimbusReactiveJwtDecoder.withSecretKey(tokenKey).macAlgorithm(MacAlgorithm.HS256).build()
}

/** Who calls must have sent user and password before. */
@Configuration
@ConditionalOnBooleanProperty(Features.SESSION_LOGIN)
class SessionAuthentication {
    @Bean
    fun chain(http: ServerHttpSecurity): SecurityWebFilterChain = http.forEveryone("Form") { refusal ->
        securityContextRepository = sessions
        addFilterAt(login(refusal), SecurityWebFiltersOrder.FORM_LOGIN)
    }

    /** What `formLogin` adds; only here the parameters can be called otherwise than `username` and `password`. */
    private fun login(refusal: Refusal): AuthenticationWebFilter {
        val form = ServerFormLoginAuthenticationConverter()
        form.setUsernameParameter("user")
        form.setPasswordParameter("password")
        return AuthenticationWebFilter(passwordManager()).apply {
            setRequiresAuthenticationMatcher(ServerWebExchangeMatchers.pathMatchers(HttpMethod.POST, Features.LOGIN))
            setServerAuthenticationConverter(form)
            setSecurityContextRepository(sessions)
            setAuthenticationSuccessHandler(noContent)
            setAuthenticationFailureHandler(ServerAuthenticationEntryPointFailureHandler(refusal))
        }
    }

    private val sessions = WebSessionServerSecurityContextRepository()

    private val noContent = ServerAuthenticationSuccessHandler { login, _ ->
        login.exchange.response.setStatusCode(HttpStatus.NO_CONTENT)
        login.exchange.response.setComplete()
    }
}

/** Left alone, each request would make a session, though it never stores anything in it. */
private val noSessions get() = NoOpServerSecurityContextRepository.getInstance()

/**
 * Without a hash there is nothing to compute, so it stays on the event loop. Left alone it would hand each request over to threads that
 * are there for slow hashes, and the handler would run on them.
 */
private fun passwordManager(): ReactiveAuthenticationManager =
    UserDetailsRepositoryReactiveAuthenticationManager(MapReactiveUserDetailsService(knownUser)).apply {
        setPasswordEncoder(ConstantTimePasswords())
        setScheduler(Schedulers.immediate())
    }

/** Without protection from forged requests: no browser's page calls this server, and a form that is not ours has no token to send. */
private fun ServerHttpSecurity.forEveryone(scheme: String, how: ServerHttpSecurityDsl.(Refusal) -> Unit): SecurityWebFilterChain {
    val refusal = Refusal(scheme)
    return invoke {
        authorizeExchange { authorize(anyExchange, authenticated) }
        exceptionHandling { authenticationEntryPoint = refusal }
        csrf { disable() }
        how(refusal)
    }
}

/** Says that who calls is not known, in the words that all stacks share. */
private class Refusal(scheme: String) : ServerAuthenticationEntryPoint {
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

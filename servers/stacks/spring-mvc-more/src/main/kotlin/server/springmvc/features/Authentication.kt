package threadgauge.server.springmvc.features

import jakarta.servlet.http.HttpServletRequest
import jakarta.servlet.http.HttpServletResponse
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.security.config.annotation.web.HttpSecurityDsl
import org.springframework.security.config.annotation.web.builders.HttpSecurity
import org.springframework.security.config.annotation.web.invoke
import org.springframework.security.config.http.SessionCreationPolicy
import org.springframework.security.core.AuthenticationException
import org.springframework.security.core.userdetails.UserDetailsService
import org.springframework.security.oauth2.jose.jws.MacAlgorithm
import org.springframework.security.oauth2.jwt.JwtDecoder
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder
import org.springframework.security.provisioning.InMemoryUserDetailsManager
import org.springframework.security.web.AuthenticationEntryPoint
import org.springframework.security.web.SecurityFilterChain
import org.springframework.security.web.authentication.AuthenticationEntryPointFailureHandler
import org.springframework.security.web.authentication.AuthenticationSuccessHandler
import org.springframework.security.web.savedrequest.NullRequestCache
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
    fun chain(http: HttpSecurity): SecurityFilterChain = http.requireCredentials("Basic") { entryPoint ->
        httpBasic { authenticationEntryPoint = entryPoint }
        sessionManagement { sessionCreationPolicy = SessionCreationPolicy.STATELESS }
    }

    @Bean
    fun users(): UserDetailsService = InMemoryUserDetailsManager(knownUser)

    @Bean
    fun passwords() = ConstantTimePasswords()
}

/** Requests must carry a signed token. */
@Configuration
@ConditionalOnBooleanProperty(Features.JWT)
class TokenAuthentication {
    @Bean
    fun chain(http: HttpSecurity): SecurityFilterChain = http.requireCredentials("Bearer") { entryPoint ->
        oauth2ResourceServer {
            authenticationEntryPoint = entryPoint
            jwt { }
        }
        sessionManagement { sessionCreationPolicy = SessionCreationPolicy.STATELESS }
    }

    @Bean
    fun decoder(): JwtDecoder = NimbusJwtDecoder.withSecretKey(tokenKey).macAlgorithm(MacAlgorithm.HS256).build()
}

/** Requests must carry the cookie of a session that began with user and password. */
@Configuration
@ConditionalOnBooleanProperty(Features.SESSION_LOGIN)
class SessionAuthentication {
    @Bean
    fun chain(http: HttpSecurity): SecurityFilterChain = http.requireCredentials("Form") { entryPoint ->
        formLogin {
            loginProcessingUrl = Features.LOGIN
            usernameParameter = "user"
            passwordParameter = "password"
            authenticationSuccessHandler = noContent
            authenticationFailureHandler = AuthenticationEntryPointFailureHandler(entryPoint)
        }
        // No client is redirected after the login, so the session need not keep the rejected request.
        requestCache { requestCache = NullRequestCache() }
    }

    private val noContent =
        AuthenticationSuccessHandler { _, response, _ -> response.status = HttpStatus.NO_CONTENT.value() }

    @Bean
    fun users(): UserDetailsService = InMemoryUserDetailsManager(knownUser)

    @Bean
    fun passwords() = ConstantTimePasswords()
}

/** Without CSRF protection: no browser page calls this server, and the form of the load has no CSRF token. */
private fun HttpSecurity.requireCredentials(
    scheme: String,
    how: HttpSecurityDsl.(UnauthorizedEntryPoint) -> Unit,
): SecurityFilterChain {
    val entryPoint = UnauthorizedEntryPoint(scheme)
    invoke {
        authorizeHttpRequests { authorize(anyRequest, authenticated) }
        exceptionHandling { authenticationEntryPoint = entryPoint }
        csrf { disable() }
        how(entryPoint)
    }
    return build()
}

/** Answers with 401 and the problem document that all stacks share. */
private class UnauthorizedEntryPoint(scheme: String) : AuthenticationEntryPoint {
    private val challenge = Credentials.challenge(scheme)
    private val body = Problem.unauthorized.json.toByteArray()

    override fun commence(
        request: HttpServletRequest,
        response: HttpServletResponse,
        failure: AuthenticationException,
    ) {
        response.status = Problem.unauthorized.status
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge)
        response.contentType = MediaType.APPLICATION_PROBLEM_JSON_VALUE
        response.setContentLength(body.size)
        response.outputStream.write(body)
    }
}

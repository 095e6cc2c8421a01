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

/** Who calls must send user and password each time. */
@Configuration
@ConditionalOnBooleanProperty(Features.BASIC)
class BasicAuthentication {
    @Bean
    fun chain(http: HttpSecurity): SecurityFilterChain = http.forEveryone("Basic") { refusal ->
        httpBasic { authenticationEntryPoint = refusal }
        sessionManagement { sessionCreationPolicy = SessionCreationPolicy.STATELESS }
    }

    @Bean
    fun users(): UserDetailsService = InMemoryUserDetailsManager(knownUser)

    @Bean
    fun passwords() = ConstantTimePasswords()
}

/** Who calls must send a signed token each time. */
@Configuration
@ConditionalOnBooleanProperty(Features.JWT)
class TokenAuthentication {
    @Bean
    fun chain(http: HttpSecurity): SecurityFilterChain = http.forEveryone("Bearer") { refusal ->
        oauth2ResourceServer {
            authenticationEntryPoint = refusal
            jwt { }
        }
        sessionManagement { sessionCreationPolicy = SessionCreationPolicy.STATELESS }
    }

    @Bean
    fun decoder(): JwtDecoder = NimbusJwtDecoder.withSecretKey(tokenKey).macAlgorithm(MacAlgorithm.HS256).build()
}

/** Who calls must have sent user and password before. */
@Configuration
@ConditionalOnBooleanProperty(Features.SESSION_LOGIN)
class SessionAuthentication {
    @Bean
    fun chain(http: HttpSecurity): SecurityFilterChain = http.forEveryone("Form") { refusal ->
        formLogin {
            loginProcessingUrl = Features.LOGIN
            usernameParameter = "user"
            passwordParameter = "password"
            authenticationSuccessHandler = noContent
            authenticationFailureHandler = AuthenticationEntryPointFailureHandler(refusal)
        }
        // Nobody is sent back to what was refused, so it need not be kept in a session.
        requestCache { requestCache = NullRequestCache() }
    }

    private val noContent = AuthenticationSuccessHandler { _, response, _ -> response.status = HttpStatus.NO_CONTENT.value() }

    @Bean
    fun users(): UserDetailsService = InMemoryUserDetailsManager(knownUser)

    @Bean
    fun passwords() = ConstantTimePasswords()
}

/** Without protection from forged requests: no browser's page calls this server, and a form that is not ours has no token to send. */
private fun HttpSecurity.forEveryone(scheme: String, how: HttpSecurityDsl.(Refusal) -> Unit): SecurityFilterChain {
    val refusal = Refusal(scheme)
    invoke {
        authorizeHttpRequests { authorize(anyRequest, authenticated) }
        exceptionHandling { authenticationEntryPoint = refusal }
        csrf { disable() }
        how(refusal)
    }
    return build()
}

/** Says that who calls is not known, in the words that all stacks share. */
private class Refusal(scheme: String) : AuthenticationEntryPoint {
    private val challenge = Credentials.challenge(scheme)
    private val body = Problem.unauthorized.json.toByteArray()

    override fun commence(request: HttpServletRequest, response: HttpServletResponse, failure: AuthenticationException) {
        response.status = Problem.unauthorized.status
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge)
        response.contentType = MediaType.APPLICATION_PROBLEM_JSON_VALUE
        response.setContentLength(body.size)
        response.outputStream.write(body)
    }
}

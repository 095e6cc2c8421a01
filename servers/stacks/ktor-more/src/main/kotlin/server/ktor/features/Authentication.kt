package threadgauge.server.ktor.features

import com.auth0.jwt.JWT
import com.auth0.jwt.algorithms.Algorithm
import io.ktor.http.HttpStatusCode
import io.ktor.http.auth.HttpAuthHeader
import io.ktor.http.auth.HttpAuthHeader.Parameters.Realm
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.auth.Authentication
import io.ktor.server.auth.AuthenticationConfig
import io.ktor.server.auth.AuthenticationInterceptors
import io.ktor.server.auth.UnauthorizedResponse
import io.ktor.server.auth.UserIdPrincipal
import io.ktor.server.auth.UserPasswordCredential
import io.ktor.server.auth.authenticate
import io.ktor.server.auth.basic
import io.ktor.server.auth.form
import io.ktor.server.auth.jwt.JWTPrincipal
import io.ktor.server.auth.jwt.jwt
import io.ktor.server.auth.principal
import io.ktor.server.auth.session
import io.ktor.server.request.path
import io.ktor.server.response.respond
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.ktor.server.sessions.SessionStorageMemory
import io.ktor.server.sessions.Sessions
import io.ktor.server.sessions.cookie
import io.ktor.server.sessions.sessions
import io.ktor.server.sessions.set
import io.ktor.utils.io.InternalAPI
import kotlinx.serialization.Serializable
import threadgauge.server.work.Credentials
import threadgauge.server.work.Features

/**
 * Requires credentials, in the way that is switched on. Ktor asks for them only where there is a route: unknown paths
 * get 404.
 */
internal fun Application.requireAuthentication() = when {
    isOn(Features.BASIC) -> requireCredentials {
        basic {
            realm = Credentials.REALM
            validate { it.authenticated() }
        }
    }
    isOn(Features.JWT) -> requireCredentials {
        jwt {
            realm = Credentials.REALM
            verifier(JWT.require(Algorithm.HMAC256(Credentials.KEY)).build())
            validate { JWTPrincipal(it.payload) }
        }
    }
    isOn(Features.SESSION_LOGIN) -> loginBySession()
    else -> Unit
}

/** The user, where the password is right. */
private fun UserPasswordCredential.authenticated() =
    if (name == Credentials.USER && Credentials.isPassword(password)) UserIdPrincipal(name) else null

/** The user of a session. */
@Serializable
private data class LoggedIn(val user: String)

private fun Application.loginBySession() {
    install(Sessions) {
        cookie<LoggedIn>("login", SessionStorageMemory()) { cookie.path = "/" }
    }
    requireCredentials {
        session<LoggedIn> {
            skipWhen { it.request.path() == Features.LOGIN }
            validate { it }
            challenge { call.reject() }
        }
        form(FORM) {
            userParamName = "user"
            passwordParamName = "password"
            validate { it.authenticated() }
            challenge { call.reject() }
        }
    }
    routing {
        authenticate(FORM) {
            post(Features.LOGIN) {
                call.sessions.set(LoggedIn(checkNotNull(call.principal<UserIdPrincipal>()).name))
                call.respond(HttpStatusCode.NoContent)
            }
        }
    }
}

/**
 * Usually `authenticate { … }` surrounds the routes. Here they belong to other modules, so this installs the same
 * plugin around everything. The provider without a name is the default.
 */
@OptIn(InternalAPI::class)
private fun Application.requireCredentials(how: AuthenticationConfig.() -> Unit) {
    install(Authentication, how)
    routing { install(AuthenticationInterceptors) }
}

private suspend fun ApplicationCall.reject() =
    respond(UnauthorizedResponse(HttpAuthHeader.Parameterized("Form", mapOf(Realm to Credentials.REALM))))

private const val FORM = "form"

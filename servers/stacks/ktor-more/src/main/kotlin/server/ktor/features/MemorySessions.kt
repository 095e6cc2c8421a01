package threadgauge.server.ktor.features

import io.ktor.server.application.Application
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.install
import io.ktor.server.sessions.SessionStorageMemory
import io.ktor.server.sessions.Sessions
import io.ktor.server.sessions.cookie
import io.ktor.server.sessions.getOrSet
import io.ktor.server.sessions.sessions
import kotlinx.serialization.Serializable

/** Attributes of a session. */
@Serializable
internal data class Visitor(val since: Long)

/** Every call has a session. As shipped, Ktor sends the cookie with each answer again. */
internal fun Application.giveSessions() {
    install(Sessions) {
        cookie<Visitor>("visitor", SessionStorageMemory()) { cookie.path = "/" }
    }
    install(sessionForEachCall)
}

private val sessionForEachCall = createApplicationPlugin("SessionForEachCall") {
    onCall { call -> call.sessions.getOrSet<Visitor> { Visitor(System.currentTimeMillis()) } }
}

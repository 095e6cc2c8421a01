package threadgauge.server.ktor.features

import io.ktor.http.URLProtocol
import io.ktor.server.application.Application
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.install
import io.ktor.server.plugins.forwardedheaders.XForwardedHeaders
import io.ktor.server.plugins.origin
import io.ktor.server.response.respondRedirect
import io.ktor.server.util.url

/** Sends who did not come by TLS to the same host and path with TLS, on the port that is usual for it. */
internal fun Application.redirectToHttps() {
    install(XForwardedHeaders)
    install(httpsRedirect)
}

/** Does what Ktor's own plugin of this name does, which cannot be had where Maven looks. */
private val httpsRedirect = createApplicationPlugin("HttpsRedirect") {
    onCall { call ->
        if (call.request.origin.scheme == "https") return@onCall
        val there = call.url {
            protocol = URLProtocol.HTTPS
            port = protocol.defaultPort
        }
        call.respondRedirect(there, permanent = true)
    }
}

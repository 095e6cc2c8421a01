package threadgauge.server.ktor.features

import io.ktor.http.URLProtocol
import io.ktor.server.application.Application
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.install
import io.ktor.server.plugins.forwardedheaders.XForwardedHeaders
import io.ktor.server.plugins.origin
import io.ktor.server.response.respondRedirect
import io.ktor.server.util.url

/** Redirects plain HTTP to the same host and path on the default port of HTTPS. */
internal fun Application.redirectToHttps() {
    install(XForwardedHeaders)
    install(httpsRedirect)
}

/** Stands in for Ktor's plugin of this name, which does not resolve. */
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

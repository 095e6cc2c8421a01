package threadgauge.server.ktor.tomcat

import io.ktor.server.application.Application
import io.ktor.server.routing.RoutingCall
import io.ktor.server.servlet.jakarta.KtorServlet
import org.apache.catalina.util.ServerInfo
import org.apache.coyote.http11.AbstractHttp11Protocol
import threadgauge.server.ktor.EngineFacts
import threadgauge.server.tomcat.connectionLimit
import threadgauge.server.tomcat.settings
import threadgauge.server.work.ioDispatcherThreads

/**
 * Tomcat's threads only read requests. Ktor's servlet starts each call on `Dispatchers.IO` and gives Tomcat's thread back, so handlers
 * share the threads that are meant for blocking calls, as on CIO: `/offload` gains nothing over `/block`.
 */
class TomcatFacts(private val application: Application) : EngineFacts {
    private val tomcat get() = (application.engine as TomcatEngine).connector.protocolHandler as AbstractHttp11Protocol<*>

    override val engine: String
        get() = "${ServerInfo.getServerInfo()}, Ktor's servlet ${KtorServlet::class.java.`package`.implementationVersion}"

    override val threadsForHandlers get() = ioDispatcherThreads

    override val maxConnections get() = tomcat.connectionLimit

    override fun settings(call: RoutingCall): Map<String, String> = tomcat.settings
}

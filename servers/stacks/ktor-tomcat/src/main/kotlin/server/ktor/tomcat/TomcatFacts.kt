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
 * Tomcat's threads only read requests. Ktor's servlet starts each call on `Dispatchers.IO` and releases Tomcat's
 * thread, so handlers share the threads for blocking calls, as on CIO: `/offload` gains nothing over `/block`.
 */
class TomcatFacts(private val application: Application) : EngineFacts {
    private val tomcat
        get() = (application.engine as TomcatEngine).connector.protocolHandler as AbstractHttp11Protocol<*>

    override val engine: String
        get() {
            val servlet = KtorServlet::class.java.`package`.implementationVersion
            return "${ServerInfo.getServerInfo()}, Ktor's servlet $servlet"
        }

    override val threadsForHandlers get() = ioDispatcherThreads

    override val maxConnections get() = tomcat.connectionLimit

    override fun settings(call: RoutingCall): Map<String, String> = tomcat.settings
}

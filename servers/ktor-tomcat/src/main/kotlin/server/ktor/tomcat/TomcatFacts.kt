package threadgauge.server.ktor.tomcat

import io.ktor.server.application.Application
import io.ktor.server.routing.RoutingCall
import io.ktor.server.servlet.jakarta.KtorServlet
import org.apache.catalina.util.ServerInfo
import org.apache.coyote.http11.AbstractHttp11Protocol
import threadgauge.server.ktor.EngineFacts
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

    override val connectionsMost get() = tomcat.maxConnections.takeIf { it > 0 }

    override fun settings(call: RoutingCall): Map<String, String> = tomcat.run {
        mapOf(
            "threads max" to maxThreads.toString(),
            "threads min spare" to minSpareThreads.toString(),
            "connections max" to maxConnections.toString(),
            "accept queue" to acceptCount.toString(),
            "requests per connection" to maxKeepAliveRequests.let { if (it < 0) "unlimited" else it.toString() },
            "idle connection closed after" to "$keepAliveTimeout ms",
            "TCP_NODELAY" to tcpNoDelay.toString(),
            "transport" to javaClass.simpleName.removePrefix("Http11").removeSuffix("Protocol").lowercase(),
        )
    }
}

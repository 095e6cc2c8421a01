package threadgauge.server.springmvc

import org.apache.catalina.util.ServerInfo
import org.apache.coyote.http11.AbstractHttp11Protocol
import org.springframework.boot.tomcat.TomcatWebServer
import org.springframework.boot.web.server.context.WebServerApplicationContext
import org.springframework.context.ApplicationContext
import org.springframework.stereotype.Component

/** The Tomcat that serves, as it is set. Also used by `spring-mvc-coroutine`. */
@Component
class RunningTomcat(private val context: ApplicationContext) {
    private val protocol: AbstractHttp11Protocol<*>
        get() {
            val server = (context as WebServerApplicationContext).webServer as TomcatWebServer
            return server.tomcat.connector.protocolHandler as AbstractHttp11Protocol<*>
        }

    val engine: String get() = ServerInfo.getServerInfo()

    val threadsMax: Int get() = protocol.maxThreads

    /** Null where Tomcat was told not to count them. */
    val connectionsMax: Int? get() = protocol.maxConnections.takeIf { it > 0 }

    val settings: Map<String, String>
        get() = protocol.let { tomcat ->
            mapOf(
                "threads max" to tomcat.maxThreads.toString(),
                "threads min spare" to tomcat.minSpareThreads.toString(),
                "connections max" to tomcat.maxConnections.toString(),
                "accept queue" to tomcat.acceptCount.toString(),
                "requests per connection" to tomcat.maxKeepAliveRequests.let { if (it < 0) "unlimited" else it.toString() },
                "idle connection closed after" to "${tomcat.keepAliveTimeout} ms",
                "TCP_NODELAY" to tomcat.tcpNoDelay.toString(),
                "transport" to tomcat.javaClass.simpleName.removePrefix("Http11").removeSuffix("Protocol").lowercase(),
            )
        }
}

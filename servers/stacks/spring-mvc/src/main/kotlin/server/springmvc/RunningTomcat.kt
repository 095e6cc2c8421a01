package threadgauge.server.springmvc

import org.apache.catalina.util.ServerInfo
import org.apache.coyote.http11.AbstractHttp11Protocol
import org.springframework.boot.tomcat.TomcatWebServer
import org.springframework.boot.web.server.context.WebServerApplicationContext
import org.springframework.context.ApplicationContext
import org.springframework.stereotype.Component
import threadgauge.server.tomcat.connectionLimit
import threadgauge.server.tomcat.settings

/** The running Tomcat and its settings. Also used by `spring-mvc-coroutine`. */
@Component
class RunningTomcat(private val context: ApplicationContext) {
    private val protocol: AbstractHttp11Protocol<*>
        get() {
            val server = (context as WebServerApplicationContext).webServer as TomcatWebServer
            return server.tomcat.connector.protocolHandler as AbstractHttp11Protocol<*>
        }

    val engine: String get() = ServerInfo.getServerInfo()

    val threadsMax: Int get() = protocol.maxThreads

    val maxConnections: Int? get() = protocol.connectionLimit

    val settings: Map<String, String> get() = protocol.settings
}

package threadgauge.server.springmvc

import org.apache.catalina.util.ServerInfo
import org.apache.coyote.http11.AbstractHttp11Protocol
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.SpringBootVersion
import org.springframework.boot.context.event.ApplicationReadyEvent
import org.springframework.boot.tomcat.TomcatWebServer
import org.springframework.boot.web.server.context.WebServerApplicationContext
import org.springframework.context.ApplicationContext
import org.springframework.context.event.EventListener
import org.springframework.core.SpringVersion
import org.springframework.stereotype.Component
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.RuntimeReport

/** What `GET /runtime` says. Limits and settings are read from the running Tomcat, never repeated from a manual. */
@Component
class SelfReport(
    private val context: ApplicationContext,
    @param:Value("\${stack.name}") private val stack: String,
    @param:Value("\${spring.threads.virtual.enabled:false}") private val virtual: Boolean,
) {
    /** Written once by the main thread when the server is ready, read by handlers. */
    @Volatile
    private var startupMillis: Double? = null

    @EventListener
    fun ready(event: ApplicationReadyEvent) {
        startupMillis = event.timeTaken?.let { it.toNanos() / 1e6 }
    }

    fun now(): RuntimeReport {
        val web = (context as WebServerApplicationContext).webServer as TomcatWebServer
        val tomcat = web.tomcat.connector.protocolHandler as AbstractHttp11Protocol<*>
        return RuntimeReport(
            stack = stack,
            framework = "Spring MVC ${SpringVersion.getVersion()}, Spring Boot ${SpringBootVersion.getVersion()}",
            engine = ServerInfo.getServerInfo(),
            model = if (virtual) Model.VIRTUAL_THREADS else Model.PLATFORM_THREADS,
            handlerThread = Thread.currentThread(),
            concurrencyLimits = if (virtual) emptyMap() else MeasuredPaths.all.associateWith { tomcat.maxThreads },
            startupMillis = startupMillis,
            settings = settings(tomcat),
        )
    }

    private fun settings(tomcat: AbstractHttp11Protocol<*>): Map<String, String> = mapOf(
        "threads max" to if (virtual) "unlimited" else tomcat.maxThreads.toString(),
        "threads min spare" to if (virtual) "none" else tomcat.minSpareThreads.toString(),
        "connections max" to tomcat.maxConnections.toString(),
        "accept queue" to tomcat.acceptCount.toString(),
        "requests per connection" to tomcat.maxKeepAliveRequests.let { if (it < 0) "unlimited" else it.toString() },
        "idle connection closed after" to "${tomcat.keepAliveTimeout} ms",
        "TCP_NODELAY" to tomcat.tcpNoDelay.toString(),
        "transport" to tomcat.javaClass.simpleName.removePrefix("Http11").removeSuffix("Protocol").lowercase(),
    )
}

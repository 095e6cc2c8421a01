package threadgauge.server.ktor.tomcat

import io.ktor.events.Events
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationEnvironment
import io.ktor.server.application.ApplicationStopPreparing
import io.ktor.server.application.ServerReady
import io.ktor.server.engine.ApplicationEngine
import io.ktor.server.engine.ApplicationEngineFactory
import io.ktor.server.engine.BaseApplicationEngine
import java.nio.file.Files
import org.apache.catalina.connector.Connector
import org.apache.catalina.core.StandardContext
import org.apache.catalina.core.StandardHost
import org.apache.catalina.startup.Tomcat as CatalinaTomcat
import threadgauge.server.tomcat.UnreadReports

/** As in Ktor's engine Netty: with TLS there is HTTP/2, unless it is switched off. */
class TomcatConfiguration : BaseApplicationEngine.Configuration() {
    var enableHttp2 = true

    /** Attributes of each of Tomcat's connectors, by Tomcat's own names. */
    var attributes: Map<String, String> = emptyMap()
}

/** Names the engine to Ktor, as `Netty` and `CIO` do. */
object Tomcat : ApplicationEngineFactory<TomcatEngine, TomcatConfiguration> {
    override fun configuration(configure: TomcatConfiguration.() -> Unit) = TomcatConfiguration().apply(configure)

    override fun create(
        environment: ApplicationEnvironment,
        monitor: Events,
        developmentMode: Boolean,
        configuration: TomcatConfiguration,
        applicationProvider: () -> Application,
    ) = TomcatEngine(environment, monitor, developmentMode, configuration, applicationProvider)
}

/**
 * Runs Ktor's servlet in an embedded Tomcat, for all paths and in asynchronous mode, as Ktor's own Tomcat engine does.
 * That one does not resolve for Ktor 3 (see the module's `pom.xml`). Tomcat keeps its defaults. As with Spring Boot,
 * answers hold no stack traces.
 */
class TomcatEngine(
    environment: ApplicationEnvironment,
    monitor: Events,
    developmentMode: Boolean,
    configuration: TomcatConfiguration,
    applicationProvider: () -> Application,
) : BaseApplicationEngine(environment, monitor, developmentMode) {
    private val folder = Files.createTempDirectory("ktor-tomcat-")

    private val connectors = configuration.connectors.map { it.connector(configuration) }

    /** The connector with TLS, where there is one: Ktor opens a plain port too. */
    val connector: Connector = connectors.last()

    private val tomcat = CatalinaTomcat().apply {
        setBaseDir(folder.toString())
        connectors.forEach { connector = it }
        (host as StandardHost).errorReportValveClass = UnreadReports::class.java.name
    }

    private val context = tomcat.addContext("", folder.toString()).also {
        CatalinaTomcat.addServlet(it, "ktor", EngineServlet(environment, pipeline, applicationProvider)).apply {
            addMapping("/*")
            isAsyncSupported = true
        }
    }

    override fun start(wait: Boolean): ApplicationEngine {
        tomcat.start()
        monitor.raise(ServerReady, environment)
        if (wait) tomcat.server.await()
        return this
    }

    override fun stop(gracePeriodMillis: Long, timeoutMillis: Long) {
        monitor.raise(ApplicationStopPreparing, environment)
        // Tomcat's grace period for requests in flight is two seconds by default; Ktor's own applies here.
        (context as StandardContext).unloadDelay = gracePeriodMillis
        tomcat.stop()
        tomcat.destroy()
        folder.toFile().deleteRecursively()
    }
}

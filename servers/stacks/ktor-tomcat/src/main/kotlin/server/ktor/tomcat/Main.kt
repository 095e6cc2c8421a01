package threadgauge.server.ktor.tomcat

import io.ktor.server.engine.CommandLineConfig
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.loadCommonConfiguration
import kotlin.system.exitProcess
import org.apache.catalina.LifecycleException

/** Like the `EngineMain` of Ktor's own engines: it takes the same arguments and reads `application.conf`. */
fun main(arguments: Array<String>) {
    val command = CommandLineConfig(arguments)
    val server = EmbeddedServer(command.rootConfig, Tomcat) {
        takeFrom(command.engineConfig)
        val deployment = command.environment.config.config("ktor.deployment")
        loadCommonConfiguration(deployment)
        deployment.propertyOrNull("enableHttp2")?.getString()?.toBoolean()?.let { enableHttp2 = it }
        attributes = TUNABLE.mapNotNull { name ->
            command.environment.config.propertyOrNull("tomcat.$name")?.let { name to it.getString() }
        }.toMap()
    }
    try {
        server.start(wait = true)
    } catch (failure: LifecycleException) {
        failure.printStackTrace()
        // Threads of Tomcat would keep the process alive.
        exitProcess(1)
    }
}

/** Tomcat's limits, by its own names. `application.conf` may set them under `tomcat`. */
private val TUNABLE = listOf("maxConnections", "acceptCount", "maxKeepAliveRequests")

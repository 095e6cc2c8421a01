package threadgauge.server.helidon

import io.helidon.config.Config
import io.helidon.config.ConfigSources
import io.helidon.logging.common.LogConfig
import io.helidon.webserver.WebServer
import io.helidon.webserver.http.HttpRouting
import kotlin.system.exitProcess
import threadgauge.server.work.jvmMetrics
import threadgauge.server.work.optionsOf

fun main(arguments: Array<String>) = serve(arguments)

/**
 * Helidon SE as its quickstart sets it up: logging, a configuration, and a web server with its routing. The fuller
 * edition adds routes with [more].
 */
fun serve(arguments: Array<String>, more: HttpRouting.Builder.(Config) -> Unit = {}) {
    LogConfig.configureRuntime()
    val startup = StartupTime.attached()
    val config = Config.create(
        ConfigSources.create(optionsOf(arguments)), ConfigSources.classpath("application.properties"),
    )
    Config.global(config)

    val registry = jvmMetrics()
    lateinit var server: WebServer
    val selfReport = SelfReport(config.get("stack.name").asString().get(), startup) { server.prototype() }
    server = WebServer.builder()
        .config(config.get("server"))
        .directHandlers(unreadRequests)
        .routing { routing ->
            routing.endpoints(selfReport, registry)
            routing.more(config)
            routing.answerInvalidRequests()
        }
        .build()
    server.start()
    // Helidon only logs that the port is in use.
    if (!server.isRunning) exitProcess(1)
}

package threadgauge.server.helidon

import io.helidon.common.Version
import io.helidon.webserver.WebServerConfig
import io.helidon.webserver.http1.Http1Config
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport

/** The report for `GET /runtime`. [config] is that of the running server, with Helidon's defaults filled in. */
class SelfReport(
    private val stack: String,
    private val startup: StartupTime,
    private val config: () -> WebServerConfig,
) {
    fun now() = ServerReport(
        stack = stack,
        framework = "Helidon SE ${Version.VERSION}",
        engine = "Helidon WebServer ${Version.VERSION}",
        model = Model.VIRTUAL_THREADS,
        handlerThread = Thread.currentThread(),
        concurrencyLimits = emptyMap(),
        startupMillis = startup.millis,
        settings = settings(config()),
    )

    private fun settings(config: WebServerConfig): Map<String, String> = mapOf(
        "threads max" to "unlimited",
        "concurrent requests max" to limit(config.maxConcurrentRequests()),
        "connections max" to limit(config.maxTcpConnections()),
        "accept queue" to config.backlog().toString(),
        "requests per connection" to "unlimited",
        "idle connection closed after" to "${config.idleConnectionTimeout().toMillis()} ms",
        "TCP_NODELAY" to config.connectionOptions().tcpNoDelay().toString(),
        "log listener for each request" to http1(config).receiveLog().toString(),
        "transport" to if (config.useNio()) "nio" else "blocking sockets",
    )

    private fun http1(config: WebServerConfig) = config.protocols().filterIsInstance<Http1Config>().single()

    private fun limit(max: Int): String = if (max < 0) "unlimited" else max.toString()
}

package threadgauge.server.ktor

import io.ktor.server.application.Application
import io.ktor.server.routing.RoutingCall
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport
import threadgauge.server.work.ioDispatcherThreads

/** The report for `GET /runtime`, with the [engine]'s part. */
class SelfReport(application: Application, private val engine: EngineFacts) {
    private val stack = application.environment.config.property("stack.name").getString()

    fun now(call: RoutingCall) = ServerReport(
        stack = stack,
        framework = "Ktor ${Application::class.java.`package`.implementationVersion}",
        engine = engine.engine,
        model = Model.COROUTINES,
        handlerThread = Thread.currentThread(),
        concurrencyLimits = MeasuredPaths.holding.associateWith { engine.threadsForHandlers } +
            MeasuredPaths.offloaded.associateWith { ioDispatcherThreads },
        maxConnections = engine.maxConnections,
        startupMillis = StartupTime.millis,
        settings = engine.settings(call) + mapOf(
            "threads for handlers" to engine.threadsForHandlers.toString(),
            "threads for blocking calls" to ioDispatcherThreads.toString(),
        ),
    )
}

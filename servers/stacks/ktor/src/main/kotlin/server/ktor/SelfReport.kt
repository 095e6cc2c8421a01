package threadgauge.server.ktor

import io.ktor.server.application.Application
import io.ktor.server.routing.RoutingCall
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.ServerReport
import threadgauge.server.work.ioDispatcherThreads

/** What `GET /runtime` says, with the [engine]'s own part. */
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
        startupMillis = StartupFigure.millis,
        settings = engine.settings(call) + mapOf(
            "threads for handlers" to engine.threadsForHandlers.toString(),
            "threads for blocking calls" to ioDispatcherThreads.toString(),
        ),
    )
}

package threadgauge.server.ktor

import io.ktor.server.application.Application
import io.ktor.server.netty.NettyApplicationCall
import io.ktor.server.netty.NettyApplicationEngine
import io.ktor.server.routing.RoutingCall
import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import io.netty.util.Version
import kotlinx.coroutines.IO_PARALLELISM_PROPERTY_NAME
import threadgauge.server.work.MeasuredPaths
import threadgauge.server.work.Model
import threadgauge.server.work.RuntimeReport

/**
 * What `GET /runtime` says. Socket options and I/O event loops are read from the connection that the request came in
 * on, the rest from the engine's own configuration.
 */
class SelfReport(private val application: Application) {
    private val stack = application.environment.config.property("stack.name").getString()

    fun now(call: RoutingCall): RuntimeReport {
        val engine = (application.engine as NettyApplicationEngine).configuration
        val channel = (call.pipelineCall.engineCall as NettyApplicationCall).context.channel()
        return RuntimeReport(
            stack = stack,
            framework = "Ktor ${Application::class.java.`package`.implementationVersion}",
            engine = "Netty ${Version.identify().getValue("netty-transport").artifactVersion()}",
            model = Model.COROUTINES,
            handlerThread = Thread.currentThread(),
            concurrencyLimits = MeasuredPaths.holding.associateWith { callThreads(engine) } + ("/offload" to ioThreads),
            startupMillis = StartupFigure.millis,
            settings = settings(engine, channel),
        )
    }

    private fun settings(engine: NettyApplicationEngine.Configuration, channel: Channel): Map<String, String> = mapOf(
        "event loops" to channel.eventLoop().parent()!!.count().toString(),
        "threads for handlers" to callThreads(engine).toString(),
        "threads for blocking calls" to ioThreads.toString(),
        "connections max" to "unlimited",
        "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
        "requests per connection" to "unlimited",
        "idle connection closed after" to "never",
        "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
        "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
        "requests under way per connection" to engine.runningLimit.toString(),
    )

    /** Netty's threads that run handlers: a group of their own unless the work group is shared. */
    private fun callThreads(engine: NettyApplicationEngine.Configuration): Int =
        if (engine.shareWorkGroup) engine.workerGroupSize + engine.callGroupSize else engine.callGroupSize

    /** Threads of `Dispatchers.IO`. It does not tell; this is its documented rule: the property, or 64, or the cores if more. */
    private val ioThreads: Int
        get() = System.getProperty(IO_PARALLELISM_PROPERTY_NAME)?.toInt() ?: maxOf(64, Runtime.getRuntime().availableProcessors())
}

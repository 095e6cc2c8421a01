package threadgauge.server.ktor

import io.ktor.server.application.Application
import io.ktor.server.netty.NettyApplicationCall
import io.ktor.server.netty.NettyApplicationEngine
import io.ktor.server.routing.RoutingCall
import io.netty.channel.Channel
import io.netty.channel.ChannelOption
import io.netty.channel.ServerChannel
import io.netty.util.Version

/** Socket options and event loops are read from the connection, the rest from the engine's own configuration. */
class NettyFacts(private val application: Application) : EngineFacts {
    private val configuration get() = (application.engine as NettyApplicationEngine).configuration

    override val engine get() = "Netty ${Version.identify().getValue("netty-transport").artifactVersion()}"

    /** The threads of the call group, and those of the work group where both are one. */
    override val threadsForHandlers: Int
        get() = configuration.run { if (shareWorkGroup) workerGroupSize + callGroupSize else callGroupSize }

    override fun settings(call: RoutingCall): Map<String, String> {
        val channel = connectionOf((call.pipelineCall.engineCall as NettyApplicationCall).context.channel())
        return mapOf(
            "event loops" to channel.eventLoop().parent()!!.count().toString(),
            "connections max" to "unlimited",
            "accept queue" to channel.parent().config().getOption(ChannelOption.SO_BACKLOG).toString(),
            "requests per connection" to "unlimited",
            "idle connection closed after" to "never",
            "TCP_NODELAY" to channel.config().getOption(ChannelOption.TCP_NODELAY).toString(),
            "transport" to channel.javaClass.simpleName.removeSuffix("SocketChannel").lowercase(),
            "handlers run on the event loop that reads" to configuration.shareWorkGroup.toString(),
            "requests under way per connection" to configuration.runningLimit.toString(),
        )
    }

    /** With HTTP/2 a request has a channel of its own, whose parent is the channel of the connection. */
    private fun connectionOf(channel: Channel) = if (channel.parent() is ServerChannel) channel else channel.parent()
}

package threadgauge.server.upstream

import io.netty.bootstrap.ServerBootstrap
import io.netty.buffer.PooledByteBufAllocator
import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoopGroup
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.ServerChannel
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.handler.codec.http.HttpServerCodec
import java.net.InetSocketAddress
import java.util.concurrent.TimeUnit

/**
 * An HTTP/1.1 server that answers after the time in the request, on one event loop. A request that waits costs a timer
 * and some hundred bytes, so tens of thousands can wait at a time.
 */
class Upstream private constructor(private val group: EventLoopGroup, private val server: Channel) : AutoCloseable {
    val port: Int get() = (server.localAddress() as InetSocketAddress).port

    override fun close() {
        server.close().sync()
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync()
    }

    companion object {
        /** On [port] of this machine; 0 means a free one. Throws [java.net.BindException] where it is in use. */
        fun start(port: Int = 0): Upstream = start(port, null)

        /** The same as a [standIn] for another backend, where that is given. */
        internal fun start(port: Int, standIn: StandIn?): Upstream {
            val epoll = Epoll.isAvailable()
            val handlers = if (epoll) EpollIoHandler.newFactory() else NioIoHandler.newFactory()
            val group = MultiThreadIoEventLoopGroup(1, handlers)
            val channel: Class<out ServerChannel> =
                if (epoll) EpollServerSocketChannel::class.java else NioServerSocketChannel::class.java
            val behaviour = Behaviour()
            val bootstrap = ServerBootstrap().group(group).channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(object : ChannelInitializer<Channel>() {
                    override fun initChannel(channel: Channel) {
                        channel.pipeline().addLast(HttpServerCodec(), UpstreamConnection(behaviour, standIn))
                    }
                })
            try {
                return Upstream(group, bootstrap.bind(InetSocketAddress("127.0.0.1", port)).sync().channel())
            } catch (failure: Throwable) {
                group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                throw failure
            }
        }

        /** The system may allow less. More simultaneous connections than this would queue in the kernel. */
        private const val BACKLOG = 16_384
    }
}

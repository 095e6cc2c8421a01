package threadgauge.load.agent

import io.netty.bootstrap.ServerBootstrap
import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelFutureListener
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.SocketChannel
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.util.ByteProcessor
import java.net.InetSocketAddress

/**
 * Does the least work that an HTTP server can do: finds the ends of request heads and answers each with the same bytes.
 * The agent warms up on it, and its rate against this server is the agent's ceiling.
 *
 * A process of its own, on the target's cores. The first argument is the port. On a second port, if given, each
 * connection gets the number of requests answered so far, as a line, and is closed: benchmarks count the requests of
 * all clients with it.
 */
object InternalServer {
    /** Body of every answer. */
    const val BODY = "hello"

    /** Owned by the one event loop that serves both ports. */
    private var answered = 0L

    @JvmStatic
    fun main(arguments: Array<String>) {
        val epoll = Epoll.isAvailable()
        val group =
            MultiThreadIoEventLoopGroup(1, if (epoll) EpollIoHandler.newFactory() else NioIoHandler.newFactory())
        val bootstrap = ServerBootstrap().group(group)
            .channel(if (epoll) EpollServerSocketChannel::class.java else NioServerSocketChannel::class.java)
            .option(ChannelOption.SO_BACKLOG, 1_024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        val server = bootstrap.listen(arguments[0].toInt(), ::Answerer)
        if (arguments.size > 1) bootstrap.clone().listen(arguments[1].toInt(), ::Teller)
        server.closeFuture().sync()
    }

    private fun ServerBootstrap.listen(port: Int, handler: () -> ChannelHandler): Channel = childHandler(
        object : ChannelInitializer<SocketChannel>() {
            override fun initChannel(channel: SocketChannel) {
                channel.pipeline().addLast(handler())
            }
        },
    ).bind(InetSocketAddress("127.0.0.1", port)).sync().channel()

    private val answer: ByteBuf = Unpooled.unreleasableBuffer(
        Unpooled.directBuffer().writeBytes(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n\r\n$BODY".toByteArray(),
        ).asReadOnly(),
    )

    /** Finds CR LF CR LF even if it is split between two reads. */
    private class Answerer : ChannelInboundHandlerAdapter(), ByteProcessor {
        private var matched = 0
        private var heads = 0

        override fun process(value: Byte): Boolean {
            val wanted = if (matched % 2 == 0) '\r' else '\n'
            matched = if (value == wanted.code.toByte()) matched + 1 else if (value == '\r'.code.toByte()) 1 else 0
            if (matched == 4) {
                heads++
                matched = 0
            }
            return true
        }

        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val bytes = message as ByteBuf
            bytes.forEachByte(this)
            bytes.release()
            while (heads > 0) {
                heads--
                answered++
                context.write(answer.retainedDuplicate(), context.voidPromise())
            }
        }

        override fun channelReadComplete(context: ChannelHandlerContext) {
            context.flush()
        }

        @Deprecated("Netty's own name for it")
        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
            context.close()
        }
    }

    /** Sends the count and closes the connection. */
    private class Teller : ChannelInboundHandlerAdapter() {
        override fun channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(Unpooled.copiedBuffer("$answered\n", Charsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE)
        }
    }
}

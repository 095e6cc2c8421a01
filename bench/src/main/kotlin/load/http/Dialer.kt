package threadgauge.load.http

import io.netty.bootstrap.Bootstrap
import io.netty.buffer.PooledByteBufAllocator
import io.netty.channel.Channel
import io.netty.channel.ChannelException
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.ConnectTimeoutException
import io.netty.channel.EventLoop
import io.netty.channel.epoll.EpollChannelOption
import io.netty.channel.epoll.EpollSocketChannel
import io.netty.channel.socket.SocketChannel
import io.netty.handler.ssl.SslContext
import io.netty.handler.ssl.SslHandler
import java.net.BindException
import java.net.ConnectException
import java.net.InetSocketAddress
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.TlsSession

/**
 * Opens the TCP connections of one event loop to its targets, from its source addresses in turn, encrypted if [tls] is
 * set. To be called on that loop.
 */
internal class Dialer(
    loop: EventLoop,
    channelType: Class<out SocketChannel>,
    private val targets: List<InetSocketAddress>,
    connections: Connections,
    private val tls: SslContext?,
    val timeoutMillis: Int,
) {
    val encrypts get() = tls != null
    val closesAfterRequest = connections.perRequest

    /** The TLS parameters that connections agreed on, without duplicates. */
    val agreements = LinkedHashSet<TlsSession>()

    /** Why the last failed handshake failed; null if none has. */
    var tlsFailure: Throwable? = null

    private val sources = connections.sources.map { InetSocketAddress(it, 0) }
    private val delayNanos = connections.delayNanos
    private var dialed = 0
    private val bootstrap = Bootstrap().group(loop).channel(channelType)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, delayNanos > 0)
        .apply {
            // Without this option the kernel assigns each bound port once, not once per target.
            val epoll = channelType == EpollSocketChannel::class.java
            if (epoll && sources.isNotEmpty()) option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true)
        }

    /**
     * Connects to target number [target] and adds [handlers] to the connection; calls [refused] if it cannot be opened.
     */
    fun dial(target: Int, handlers: ChannelHandler, refused: (Outcome) -> Unit) {
        val address = targets[target]
        val source = if (sources.isEmpty()) null else sources[dialed++ % sources.size]
        val behindTls = if (tls == null) handlers else Encrypted(tls, address, handlers, timeoutMillis)
        val all = if (delayNanos > 0) Delay.Before(delayNanos, behindTls) else behindTls
        bootstrap.clone().handler(all).connect(address, source)
            .addListener { if (!it.isSuccess) refused(outcomeOf(it.cause())) }
    }

    /** To be called after a successful TLS handshake on [channel]. */
    fun agreed(channel: Channel) {
        val handler = channel.pipeline().get(SslHandler::class.java)
        val session = handler.engine().session
        agreements += TlsSession(session.protocol, session.cipherSuite, handler.applicationProtocol())
    }

    private fun outcomeOf(cause: Throwable?) = when (cause) {
        is ConnectTimeoutException -> Outcome.CONNECT_TIMEOUT
        is ChannelException, is BindException -> Outcome.LOCAL_LIMIT
        is ConnectException -> if (NO_PORT in cause.message.orEmpty()) Outcome.LOCAL_LIMIT else Outcome.REFUSED
        else -> Outcome.RESET
    }

    private class Encrypted(
        private val tls: SslContext,
        private val to: InetSocketAddress,
        private val handlers: ChannelHandler,
        private val timeoutMillis: Int,
    ) : ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            val handler = tls.newHandler(channel.alloc(), to.hostString, to.port)
            handler.setHandshakeTimeoutMillis(timeoutMillis.toLong())
            // Netty sends no server name without a dot, such as localhost or the name of a container.
            serverName(to.hostString)?.let { name ->
                handler.engine().sslParameters = handler.engine().sslParameters.apply { serverNames = listOf(name) }
            }
            channel.pipeline().addLast(handler, handlers)
        }
    }
}

/** Message of EADDRNOTAVAIL: all local ports to this target are in use. */
private const val NO_PORT = "Cannot assign requested address"

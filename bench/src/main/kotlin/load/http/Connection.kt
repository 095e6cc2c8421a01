package threadgauge.load.http

import io.netty.bootstrap.Bootstrap
import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ConnectTimeoutException
import threadgauge.model.Outcome
import java.net.ConnectException
import java.net.SocketAddress

/**
 * One place for a connection to a target, with at most one request under way. It outlives the TCP connections that it
 * opens one after the other, because servers close them (Tomcat after every 100 answers).
 *
 * Belongs to one event loop; every call and every callback is on that loop's thread.
 *
 * What happens to a request, as calls of [Listener]:
 * ```
 * send ─┬─ answered            the answer is complete; the connection may be closed by then
 *       └─ failed              refused, reset, timed out, malformed: the TCP connection is gone
 * connect ─┬─ connected
 *          └─ failed           without a request, where none was sent
 * idle ── closedWhileIdle      the server closed it between two requests
 * ```
 */
class Connection(
    private val bootstrap: Bootstrap,
    private val address: SocketAddress,
    private val request: ByteBuf,
    private val scratch: ByteArray,
    expectedBody: ByteArray?,
    headOnly: Boolean,
    private val listener: Listener,
) {
    interface Listener {
        fun connected(connection: Connection)
        fun answered(connection: Connection, status: Int, bodyMatches: Boolean)
        fun failed(connection: Connection, outcome: Outcome)
        fun closedWhileIdle(connection: Connection)
    }

    enum class State { CLOSED, CONNECTING, IDLE, BUSY }

    var state = State.CLOSED
        private set

    /** Stamps of the request under way, kept here for [listener]: `System.nanoTime` of when it was meant and when it left. */
    var intendedNanos = 0L
    var sentNanos = 0L

    /** A request waits for this connection to open. */
    var wanted = false

    /** Requests that the user of this connection has still to send; only closed load with loops counts it. */
    var loopsLeft = Int.MAX_VALUE

    private val parser = ResponseParser(expectedBody, headOnly)
    private var channel: Channel? = null

    fun connect() {
        check(state == State.CLOSED) { "connection is $state" }
        state = State.CONNECTING
        bootstrap.clone().handler(Handler()).connect(address).addListener { future ->
            if (!future.isSuccess) failed(connectOutcome(future.cause()))
        }
    }

    /** Sends the request. The caller has set the stamps. */
    fun send() {
        check(state == State.IDLE) { "connection is $state" }
        state = State.BUSY
        val open = channel!!
        open.writeAndFlush(request.retainedDuplicate(), open.voidPromise())
    }

    /** Gives the request under way up, or the attempt to connect. */
    fun abandon(outcome: Outcome) = failed(outcome)

    /** Closes for good, without a word to [listener]. */
    fun close() {
        state = State.CLOSED
        channel?.close()
        channel = null
    }

    private fun failed(outcome: Outcome) {
        close()
        parser.reset()
        listener.failed(this, outcome)
    }

    private fun connectOutcome(cause: Throwable?) = when (cause) {
        is ConnectTimeoutException -> Outcome.CONNECT_TIMEOUT
        is ConnectException -> Outcome.REFUSED
        else -> Outcome.RESET
    }

    /** Belongs to one TCP connection; says nothing any more once another has taken its place. */
    private inner class Handler : ChannelInboundHandlerAdapter() {
        private fun isCurrent(context: ChannelHandlerContext) = channel === context.channel()

        override fun channelActive(context: ChannelHandlerContext) {
            if (state != State.CONNECTING) return Unit.also { context.close() }
            channel = context.channel()
            state = State.IDLE
            listener.connected(this@Connection)
        }

        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val buffer = message as ByteBuf
            try {
                while (isCurrent(context) && buffer.isReadable) {
                    val count = minOf(buffer.readableBytes(), scratch.size)
                    buffer.readBytes(scratch, 0, count)
                    received(count)
                }
            } finally {
                buffer.release()
            }
        }

        override fun channelInactive(context: ChannelHandlerContext) {
            if (!isCurrent(context)) return
            when {
                state == State.IDLE -> close().also { listener.closedWhileIdle(this@Connection) }
                parser.endOfStream() -> complete()
                else -> failed(Outcome.RESET)
            }
        }

        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
            if (!isCurrent(context)) return
            if (state == State.BUSY) failed(Outcome.RESET) else close().also { listener.closedWhileIdle(this@Connection) }
        }
    }

    /** Bytes that nobody asked for, before a request or after its answer, break the connection: the next answer could not be trusted. */
    private fun received(count: Int) {
        if (state != State.BUSY) return close().also { listener.closedWhileIdle(this) }
        val used = parser.feed(scratch, 0, count)
        when (parser.state) {
            ResponseParser.State.DONE -> if (used == count) complete() else failed(Outcome.MALFORMED)
            ResponseParser.State.BROKEN -> failed(Outcome.MALFORMED)
            else -> Unit
        }
    }

    private fun complete() {
        val status = parser.status
        val bodyMatches = parser.bodyMatches
        if (parser.closes) close() else state = State.IDLE
        parser.reset()
        listener.answered(this, status, bodyMatches)
    }
}

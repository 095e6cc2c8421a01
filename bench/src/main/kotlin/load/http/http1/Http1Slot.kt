package threadgauge.load.http.http1

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.handler.ssl.SslHandshakeCompletionEvent
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeUnit.SECONDS
import threadgauge.load.http.Body
import threadgauge.load.http.CookieJar
import threadgauge.load.http.Dialer
import threadgauge.load.http.HeadWish
import threadgauge.load.http.Question
import threadgauge.load.http.Slot
import threadgauge.load.http.stream.FrameScan
import threadgauge.model.Outcome

/** A connection of HTTP/1.1. Belongs to one event loop. */
internal class Http1Slot(
    target: Int,
    private val dialer: Dialer,
    first: Question,
    private val scratch: ByteArray,
    /** Cookies that the user keeps from one connection to the next; null if none are kept. */
    private val cookies: CookieJar?,
    /** Login that the user sends first while it has no cookies; null without one. */
    private val login: Http1Request?,
    maxHeaderBytes: Int,
    listener: Listener,
) : Slot(target, listener) {
    /** By the index of their question. */
    private val bodies = ArrayList<Body?>()
    private val wish = HeadWish()
    private val parser =
        ResponseParser(bodyOf(first), first.headOnly, cookies, maxHeaderBytes, first.answers.isObserved, wish)
    private val answers get() = question.answers

    init {
        parser.upgrades = first.isSocket
    }

    override var question: Question = first
        set(value) {
            if (field === value) return
            field = value
            parser.body = bodyOf(value)
            parser.headOnly = value.headOnly
            parser.upgrades = value.isSocket
        }

    override val body get() = parser.body
    override val status get() = if (parser.hasHead) parser.status else 0
    override val length get() = parser.contentLength
    override val contentType get() = parser.contentType
    private var channel: Channel? = null

    /** The head has been sent; the body waits for 100 Continue. */
    private var bodyWaits = false

    /** The login is under way, as the last step of connecting. */
    private var entering = false

    /** The connection has carried an answer before. */
    private var kept = false

    override fun connect() {
        check(state == State.CLOSED) { "slot is $state" }
        state = State.CONNECTING
        dialer.dial(target, Initializer(Handler())) { failed(it) }
    }

    override fun send() {
        check(state == State.IDLE) { "slot is $state" }
        state = State.BUSY
        val request = question.http1(target)
        bodyWaits = request.waitsForContinue
        wish.begin(question.wanted)
        val open = channel!!
        open.writeAndFlush(request.bytes(number, cookies, course), open.voidPromise())
        if (bodyWaits) {
            open.eventLoop().schedule({ if (channel === open) sendBody() }, CONTINUE_PATIENCE_SECONDS, SECONDS)
        }
    }

    override fun abandon(outcome: Outcome) = failed(outcome)

    override fun forget() {
        cookies?.clear()
    }

    private fun bodyOf(question: Question): Body {
        while (bodies.size <= question.index) bodies += null
        return bodies[question.index] ?: question.answers.newBody(this).also { bodies[question.index] = it }
    }

    override fun close() {
        state = State.CLOSED
        entering = false
        channel?.close()
        channel = null
    }

    private fun sendBody() {
        if (!bodyWaits || state != State.BUSY) return
        bodyWaits = false
        val open = channel!!
        open.writeAndFlush(question.http1(target).body(number, course), open.voidPromise())
    }

    private fun failed(outcome: Outcome) {
        answers.ending(this)
        close()
        parser.reset()
        listener.failed(this, outcome)
    }

    /** The answer is complete. */
    private fun complete() {
        if (entering) return entered()
        answers.ending(this)
        val outcome = question.outcomeOf(parser.status, parser.gzipped, parser.coded, this, wish)
        // A server that answered without asking for the body may take the next bytes for it.
        if (parser.closes || dialer.closesAfterRequest || bodyWaits) leave() else state = State.IDLE
        kept = true
        bodyWaits = false
        parser.reset()
        listener.answered(this, outcome)
    }

    /** Lets the server close first, so that TIME_WAIT is on its side: on ours it would use up our ports. */
    private fun leave() {
        state = State.CLOSED
        val left = channel ?: return
        channel = null
        left.eventLoop().schedule({ left.close() }, LEAVING_PATIENCE_SECONDS, SECONDS)
    }

    /**
     * Bytes that arrive without a request, or after its answer, break the connection: the next answer could not be
     * trusted.
     */
    private fun received(count: Int) {
        if (state != State.BUSY && !entering) return close().also { listener.closedWhileIdle(this) }
        val used = parser.feed(scratch, 0, count)
        when (parser.state) {
            ResponseParser.State.DONE -> if (used == count || parser.isSwitch) complete() else failed(Outcome.MALFORMED)
            ResponseParser.State.BROKEN -> failed(if (parser.isTooLong) Outcome.HEADERS_TOO_LONG else Outcome.MALFORMED)
            else -> {
                if (parser.continues) sendBody()
                body.tap?.frames?.let(::attend)
            }
        }
    }

    /** Answers a ping, and ends a WebSocket that its server has closed, or that has had all its messages. */
    private fun attend(frames: FrameScan) {
        if (frames.isBroken) return failed(Outcome.MALFORMED)
        frames.takePong()?.let(::write)
        val hasAll = answers.closesAfter?.let { body.tap!!.messages >= it } == true
        if (!frames.isClosed && !hasAll) return
        write(FrameScan.CLOSING)
        parser.end()
        complete()
    }

    private fun write(bytes: ByteArray) {
        val open = channel!!
        open.writeAndFlush(Unpooled.wrappedBuffer(bytes), open.voidPromise())
    }

    private fun opened(open: Channel) {
        if (state != State.CONNECTING) return Unit.also { open.close() }
        channel = open
        kept = false
        if (login != null && cookies!!.isEmpty) return enter(login, open)
        state = State.IDLE
        listener.connected(this, opened = true)
    }

    private fun enter(login: Http1Request, open: Channel) {
        entering = true
        open.writeAndFlush(login.bytes(0, null), open.voidPromise())
        val late = { if (entering && channel === open) failed(Outcome.RESPONSE_TIMEOUT) }
        open.eventLoop().schedule(late, dialer.timeoutMillis.toLong(), MILLISECONDS)
    }

    /**
     * The login succeeded if it set a cookie. If the server closes the connection after it, a new one is opened for the
     * first request.
     */
    private fun entered() {
        if (cookies!!.isEmpty) return failed(answers.outcomeOf(parser.status) ?: Outcome.UNEXPECTED_STATUS)
        val closes = parser.closes
        parser.reset()
        entering = false
        if (closes) {
            close()
            return connect()
        }
        state = State.IDLE
        listener.connected(this, opened = true)
    }

    private class Initializer(private val handler: Handler) : ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            channel.pipeline().addLast(handler)
        }
    }

    /** Belongs to one TCP connection; ignored once another has replaced that. */
    private inner class Handler : ChannelInboundHandlerAdapter() {
        private fun isCurrent(context: ChannelHandlerContext) = channel === context.channel()

        override fun channelActive(context: ChannelHandlerContext) {
            if (!dialer.encrypts) opened(context.channel())
        }

        override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
            if (event !is SslHandshakeCompletionEvent) return
            if (!event.isSuccess) {
                dialer.tlsFailure = event.cause()
                return if (state == State.CONNECTING) failed(Outcome.TLS_FAILED) else Unit
            }
            dialer.agreed(context.channel())
            opened(context.channel())
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
                state == State.IDLE -> close().also { listener.closedWhileIdle(this@Http1Slot) }
                parser.endOfStream() -> complete()
                else -> broken()
            }
        }

        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
            if (!isCurrent(context)) return
            if (state != State.IDLE) broken() else close().also { listener.closedWhileIdle(this@Http1Slot) }
        }

        /** A server may close an idle connection at the very moment at which a request is sent on it. */
        private fun broken() {
            val isUnanswered = state == State.BUSY && kept && !parser.began
            failed(if (isUnanswered) Outcome.KEPT_CONNECTION_CLOSED else Outcome.RESET)
        }
    }
}

/**
 * A client need not wait for 100 Continue indefinitely, and should send the body after a while (RFC 9110, section
 * 10.1.1).
 */
private const val CONTINUE_PATIENCE_SECONDS = 1L
private const val LEAVING_PATIENCE_SECONDS = 1L

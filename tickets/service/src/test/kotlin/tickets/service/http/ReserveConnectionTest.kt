package threadgauge.tickets.service.http

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelOutboundHandlerAdapter
import io.netty.channel.embedded.EmbeddedChannel
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.DefaultHttpHeadersFactory
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpServerCodec
import io.netty.handler.codec.http.HttpVersion
import io.netty.util.ReferenceCountUtil
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** Bytes in, bytes out, on one connection; the framework is a handler that answers when it is told to. */
class ReserveConnectionTest {
    /** Answers in progress, in the order of their requests, by event. */
    private val asked = ArrayList<Pair<String, CompletableDeferred<String>>>()
    private val bodies = ArrayList<String?>()
    private val framework = Framework()
    private val reads = Reads()

    private val channel = EmbeddedChannel(
        HttpServerCodec(), reads,
        ReserveConnection({ _, event, body ->
            bodies += body?.decodeToString()
            if (event == "0" || body == null) response("now") else
                CompletableDeferred<String>().also { asked += event to it }.await().let(::response)
        }, Dispatchers.Unconfined, maxBody = 20),
        framework,
    ).apply { config().isAutoRead = false }

    @AfterEach
    fun `nothing is left`() {
        channel.finishAndReleaseAll()
        channel.checkException()
    }

    @Test
    fun `a request is answered once its body is complete, however it arrives`() {
        for (byte in reserve(7).toByteArray()) send("${byte.toInt().toChar()}")
        bodies shouldContainExactly listOf(BODY)
        sent().shouldBeEmpty()
        asked.single().second.complete("granted")
        sent() shouldContainExactly listOf("granted")
    }

    @Test
    fun `responses have the order of their requests, whoever answers them`() {
        send(reserve(1) + OTHER + reserve(2) + reserve(0) + OTHER)
        asked.map { it.first } shouldContainExactly listOf("1")
        framework.waiting shouldBe 0
        asked[0].second.complete("one")
        sent() shouldContainExactly listOf("one")
        framework.waiting shouldBe 1
        asked.size shouldBe 1
        framework.answer()
        channel.runPendingTasks()
        sent() shouldContainExactly listOf("framework")
        asked[1].second.complete("two")
        sent() shouldContainExactly listOf("two", "now")
        framework.waiting shouldBe 1
    }

    @Test
    fun `all requests that the codec lets through at once are answered`() {
        send(reserve(1) + reserve(0).repeat(DEPTH - 1))
        asked.single().second.complete("one")
        sent() shouldContainExactly listOf("one") + List(DEPTH - 1) { "now" }
    }

    @Test
    fun `nothing is read while something waits, and the next read comes when nothing does`() {
        reads.count = 0
        send(reserve(1))
        // A read that ends when the client goes away, or sends more.
        reads.count shouldBe 1
        send(reserve(0))
        reads.count shouldBe 1
        asked.single().second.complete("one")
        sent() shouldContainExactly listOf("one", "now")
        reads.count shouldBe 2
    }

    @Test
    fun `what is not for this handler is passed on, and the framework asks for its own reads`() {
        reads.count = 0
        send(OTHER)
        framework.waiting shouldBe 1
        reads.count shouldBe 0
        asked.shouldBeEmpty()
    }

    @Test
    fun `a body that is too large is answered at once, and the next request is read after its end`() {
        send("POST /events/1/reservations HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n" + "x".repeat(30))
        bodies shouldContainExactly listOf(null)
        sent() shouldContainExactly listOf("now")
        send("x".repeat(20) + reserve(0))
        sent() shouldContainExactly listOf("now")
        bodies shouldContainExactly listOf(null, BODY)
    }

    @Test
    fun `a chunked body is a body`() {
        val head = "POST /events/0/reservations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        send("${head}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        bodies shouldContainExactly listOf("abcde")
        sent() shouldContainExactly listOf("now")
    }

    @Test
    fun `a client that waits for permission gets it`() {
        send("POST /events/0/reservations HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        text() shouldContain "HTTP/1.1 100 Continue"
        send("{}")
        sent() shouldContainExactly listOf("now")
    }

    @Test
    fun `a connection that the client ends gets no further response`() {
        send(reserve(0, "Connection: close\r\n") + reserve(0))
        val text = text()
        text shouldContain "connection: close"
        text.split("HTTP/1.1").size shouldBe 2
        channel.isOpen shouldBe false
    }

    @Test
    fun `a client of HTTP 1-0 may keep its connection`() {
        val old = "POST /events/0/reservations HTTP/1.0\r\nContent-Length: 0\r\n"
        send("${old}Connection: keep-alive\r\n\r\n")
        text() shouldContain "connection: keep-alive"
        channel.isOpen shouldBe true
        send("$old\r\n")
        text() shouldNotContain "keep-alive"
        channel.isOpen shouldBe false
    }

    @Test
    fun `a request whose client goes away is cancelled`() {
        send(reserve(1) + reserve(2))
        channel.pipeline().fireChannelInactive()
        // Would be written if it still waited.
        asked.single().second.complete("late")
        sent().shouldBeEmpty()
        asked.size shouldBe 1
    }

    @Test
    fun `a server that closes waits for the response`() {
        send(reserve(1))
        val closed = channel.close()
        channel.isOpen shouldBe true
        asked.single().second.complete("granted")
        val text = text()
        text shouldContain "granted"
        text shouldContain "connection: close"
        closed.isSuccess shouldBe true
        channel.isOpen shouldBe false
    }

    @Test
    fun `a server closes a connection without a request at once`() {
        send(reserve(0))
        sent()
        channel.close()
        channel.isOpen shouldBe false
    }

    private fun reserve(event: Int, header: String = "") =
        "POST /events/$event/reservations HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${BODY.length}\r\n\r\n$BODY"

    private fun send(text: String) {
        channel.writeInbound(Unpooled.copiedBuffer(text, Charsets.UTF_8))
    }

    /** All that was written since the last call. */
    private fun text() = generateSequence { channel.readOutbound<ByteBuf>() }
        .joinToString("") { it.toString(Charsets.UTF_8).also { _ -> it.release() } }

    /** The bodies of responses that were written since the last call. */
    private fun sent(): List<String> = Regex("\r\n\r\n(\\w+)").findAll(text())
        .map { it.groupValues[1].substringBefore("HTTP") }.toList()

    private fun response(text: String) = response(Unpooled.copiedBuffer(text, Charsets.UTF_8))

    /** Answers one request that was passed on. */
    private inner class Framework : ChannelInboundHandlerAdapter() {
        var waiting = 0
        private lateinit var context: ChannelHandlerContext

        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            this.context = context
            if (message is HttpRequest) waiting++
            ReferenceCountUtil.release(message)
        }

        fun answer() {
            waiting--
            context.writeAndFlush(response("framework"))
        }
    }

    /** Counts what [ReserveConnection] and the framework ask for. */
    private class Reads : ChannelOutboundHandlerAdapter() {
        var count = 0

        override fun read(context: ChannelHandlerContext) {
            count++
            context.read()
        }
    }

    private companion object {
        /** Of Netty's HttpServerCodec: it fails at one more request without a response. */
        const val DEPTH = 128
        const val BODY = """{"quantity": 1}"""
        const val OTHER = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n"

        fun response(body: ByteBuf): DefaultFullHttpResponse {
            val headers = DefaultHttpHeadersFactory.headersFactory().newHeaders()
            headers[HttpHeaderNames.CONTENT_LENGTH] = body.readableBytes()
            return DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body, headers,
                DefaultHttpHeadersFactory.trailersFactory().newHeaders(),
            )
        }
    }
}

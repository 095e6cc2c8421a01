package threadgauge.load.http

import io.kotest.matchers.shouldBe
import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.embedded.EmbeddedChannel
import io.netty.channel.socket.ChannelInputShutdownEvent
import java.util.concurrent.TimeUnit.MILLISECONDS
import org.junit.jupiter.api.Test

/** A round trip of 20 ms, on a clock that the test sets. */
class DelayTest {
    private val seen = ArrayList<String>()

    private val channel = EmbeddedChannel().apply {
        freezeTime()
        pipeline().addLast(Delay(20_000_000), object : ChannelInboundHandlerAdapter() {
            override fun channelActive(context: ChannelHandlerContext) = Unit.also { seen += "open" }

            override fun channelRead(context: ChannelHandlerContext, message: Any) {
                val buffer = message as ByteBuf
                seen += buffer.toString(Charsets.US_ASCII)
                buffer.release()
            }

            override fun channelInactive(context: ChannelHandlerContext) = Unit.also { seen += "closed" }
        })
    }

    @Test
    fun `a connection is open after a round trip`() {
        channel.pipeline().fireChannelActive()
        after(19) shouldBe emptyList()
        after(1) shouldBe listOf("open")
    }

    @Test
    fun `bytes of a server that sends first arrive after the connection is open`() {
        channel.pipeline().fireChannelActive()
        receive("a")
        after(19) shouldBe emptyList()
        after(1) shouldBe listOf("open", "a")
    }

    @Test
    fun `a server that closes at once closes a connection that was open`() {
        channel.pipeline().fireChannelActive()
        channel.close()
        seen shouldBe listOf("open", "closed")
    }

    @Test
    fun `received bytes arrive after half a round trip, in order`() {
        receive("a")
        after(4) shouldBe emptyList()
        receive("b")
        after(6) shouldBe listOf("a")
        after(4) shouldBe listOf("a", "b")
    }

    @Test
    fun `sent bytes leave after half a round trip, in order`() {
        send("a")
        send("b")
        after(9)
        channel.readOutbound<ByteBuf>() shouldBe null
        after(1)
        List(2) { channel.readOutbound<ByteBuf>().toString(Charsets.US_ASCII) } shouldBe listOf("a", "b")
    }

    @Test
    fun `the end of the stream arrives after everything before it`() {
        receive("a")
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE)
        after(9) shouldBe emptyList()
        channel.isOpen shouldBe true
        after(1) shouldBe listOf("a", "closed")
        channel.isOpen shouldBe false
    }

    @Test
    fun `a connection that breaks loses nothing that was received`() {
        receive("a")
        channel.close()
        seen shouldBe listOf("a", "closed")
    }

    private fun receive(text: String) =
        channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(text, Charsets.US_ASCII))

    private fun send(text: String) = channel.writeAndFlush(Unpooled.copiedBuffer(text, Charsets.US_ASCII))

    /** What had arrived by then. */
    private fun after(millis: Long): List<String> {
        channel.advanceTimeBy(millis, MILLISECONDS)
        channel.runScheduledPendingTasks()
        return seen
    }
}

package threadgauge.load.agent

import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.InputStream
import java.security.MessageDigest
import java.util.Base64
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Expectation
import threadgauge.model.request.Stream

/** Loads of requests whose answers are streams of server-sent events. */
@Tag("ports")
class StreamLoadTest : EngineTest() {
    @Test
    fun `every message is counted, and its distance from the one before is measured`() {
        ticking(messages = 5, everyMillis = 20).use { server ->
            val done = streams(server, Load.Loops(users = 2, loops = 3)).done
            done.answered shouldBe 6
            val stream = done.stream.shouldNotBeNull()
            stream.messages shouldBe 30
            decode(stream.first).totalCount shouldBe 6
            val gaps = decode(stream.gaps)
            gaps.totalCount shouldBe 24
            // A message may be late, and the next one then comes the sooner. The mean keeps the pace.
            gaps.mean / 1e6 shouldBeGreaterThan 15.0
        }
    }

    @Test
    fun `a stream with too few messages is no correct answer`() {
        ticking(messages = 4, everyMillis = 1).use { server ->
            val done = streams(server, Load.Loops(users = 1, loops = 2), messages = 5).done
            done.answered shouldBe 0
            done.failures shouldBe mapOf(Outcome.WRONG_MESSAGES to 2L)
            done.stream.shouldNotBeNull().messages shouldBe 8
        }
    }

    @Test
    fun `a stream that is open when the load ends counts as answered, and no other does`() {
        ticking(messages = 10_000, everyMillis = 10).use { server ->
            val done = streams(server, Load.Users(3, 400 * MILLI), drain = 0).done
            done.answered shouldBe 3
            done.answeredInWindow shouldBe 3
            done.unfinished shouldBe 0
            done.stream.shouldNotBeNull().messages shouldBeInRange 6L..130L
        }
        ticking(messages = 10_000, everyMillis = 10).use { server ->
            val done = streams(server, Load.Users(3, 200 * MILLI), messages = 10_000, drain = 0).done
            done.answered shouldBe 0
            done.unfinished shouldBe 3
        }
        ProgrammableServer { raw(HEAD) }.use { server ->
            val done = streams(server, Load.Users(3, 200 * MILLI), drain = 0).done
            done.answered shouldBe 0
            done.unfinished shouldBe 3
        }
    }

    @Test
    fun `streams of several agents are added, and other answers have none`() {
        ticking(messages = 5, everyMillis = 1).use { server ->
            val one = streams(server, Load.Loops(users = 1, loops = 1)).done
            val two = streams(server, Load.Loops(users = 1, loops = 2)).done
            val both = merge(listOf(one, two)).stream.shouldNotBeNull()
            both.messages shouldBe 15
            decode(both.first).totalCount shouldBe 3
        }
        ProgrammableServer { answer() }.use { server ->
            load(server, Load.Loops(users = 1, loops = 1)).done.stream.shouldBeNull()
        }
    }

    @Test
    fun `messages of a WebSocket are counted, its pings are answered, and the client closes it after those expected`() {
        val opcodes = LinkedBlockingQueue<Int>()
        webSocket { input ->
            raw(frame(PING, "p"))
            repeat(5) { raw(frame(TEXT, "$it")) }
            repeat(2) {
                val opcode = input.read() and 0x0F
                val length = input.read() and 0x7F
                input.readNBytes(MASK_BYTES + length)
                opcodes += opcode
            }
            closeConnection()
        }.use { server ->
            val done = streams(server, Load.Loops(users = 1, loops = 2), messages = 5, stream = Stream.WEBSOCKET).done
            done.answered shouldBe 2
            done.stream.shouldNotBeNull().messages shouldBe 10
            List(4) { opcodes.poll(10, TimeUnit.SECONDS) } shouldBe listOf(PONG, CLOSE, PONG, CLOSE)
            server.connections.get() shouldBe 2
        }
    }

    @Test
    fun `a WebSocket that its server closes too soon has too few messages`() {
        webSocket {
            raw(frame(TEXT, "a"))
            raw(frame(CLOSE, ""))
        }.use { server ->
            val done = streams(server, Load.Loops(users = 1, loops = 1), messages = 2, stream = Stream.WEBSOCKET).done
            done.failures shouldBe mapOf(Outcome.WRONG_MESSAGES to 1L)
            val open = streams(server, Load.Loops(users = 1, loops = 1), stream = Stream.WEBSOCKET).done
            open.answered shouldBe 1
        }
    }

    @Test
    fun `a server that speaks no WebSocket is none`() {
        fun failuresOf(serve: ProgrammableServer.Exchange.() -> Unit) = ProgrammableServer { serve() }.use { server ->
            streams(server, Load.Loops(users = 1, loops = 1), stream = Stream.WEBSOCKET).done.failures.keys
        }
        failuresOf { answer() } shouldBe setOf(Outcome.UNEXPECTED_STATUS)
        failuresOf { answer(status = "404 Not Found") } shouldBe setOf(Outcome.CLIENT_ERROR)
        // The answer to another key, as from a cache.
        failuresOf {
            raw(SWITCH.format("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            raw(frame(CLOSE, ""))
        } shouldBe setOf(Outcome.MALFORMED)
        failuresOf { raw(SWITCH.format(acceptOf(head)) + "\u0081\u0081") } shouldBe setOf(Outcome.MALFORMED)
    }

    /** A server of WebSockets that says what [speak] says on each. */
    private fun webSocket(speak: ProgrammableServer.Exchange.(InputStream) -> Unit) = ProgrammableServer {
        raw(SWITCH.format(acceptOf(head)))
        speak(input)
    }

    /** By RFC 6455, section 4.2.2, from what the client sent. */
    private fun acceptOf(head: String): String {
        head shouldContain "Upgrade: websocket\r\n"
        head shouldContain "Connection: Upgrade\r\n"
        val key = Regex("Sec-WebSocket-Key: (\\S+)").find(head)!!.groupValues[1]
        val whole = "${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".toByteArray()
        val digest = MessageDigest.getInstance("SHA-1").digest(whole)
        return Base64.getEncoder().encodeToString(digest)
    }

    /** A final frame of a server. */
    private fun frame(opcode: Int, text: String) =
        byteArrayOf((0x80 or opcode).toByte(), text.length.toByte()) + text.toByteArray()

    private fun streams(
        server: ProgrammableServer,
        load: Load,
        messages: Int? = null,
        drain: Long = SECOND,
        stream: Stream = Stream.EVENTS,
    ) =
        load(server, load) { order ->
            val request = order.request.copy(stream = stream, expect = Expectation(messages = messages))
            order.copy(request = request, drainNanos = drain)
        }

    private fun ticking(messages: Int, everyMillis: Long) = ProgrammableServer {
        raw(HEAD)
        repeat(messages) {
            Thread.sleep(everyMillis)
            chunk("data: $it\n\n")
        }
        raw("0\r\n\r\n")
    }

    private fun ProgrammableServer.Exchange.chunk(text: String) =
        raw("${text.length.toString(16)}\r\n$text\r\n")

    private companion object {
        const val TEXT = 1
        const val CLOSE = 8
        const val PING = 9
        const val PONG = 10
        const val MASK_BYTES = 4
        const val SWITCH = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
            "Sec-WebSocket-Accept: %s\r\n\r\n"
        const val HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    }
}

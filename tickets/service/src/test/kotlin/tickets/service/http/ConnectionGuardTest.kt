package threadgauge.tickets.service.http

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.net.InetAddress
import java.net.Socket
import java.time.Duration
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext

/** Sends what no HTTP client would send, byte by byte. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionGuardTest {
    private lateinit var service: ReactiveWebServerApplicationContext

    @BeforeAll
    fun start() {
        service = startTickets(
            "--tickets.rehearsal=0s", "--tickets.request-timeout=${TIMEOUT.toMillis()}ms",
            "--server.netty.idle-timeout=${IDLE.toSeconds()}s",
        )
    }

    @AfterAll
    fun stop() = service.close()

    @Test
    fun `incomplete headers and bodies are answered in time, even if bytes keep arriving`() {
        val head = "POST /events/1/reservations HTTP/1.1\r\nHost: x\r\nIdempotency-Key: slow\r\n" +
            "Content-Type: application/json\r\n"
        val known = "${head}Content-Length: 60\r\n\r\n{\"quantity\": 1"
        val chunked = "${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{\"qua\r\n"
        for (begin in listOf(head, known, chunked)) {
            withClue(begin) {
                connected { socket ->
                    val began = System.nanoTime()
                    val drip = Thread.ofVirtual().start { drip(socket, begin) }
                    val answer = socket.rest()
                    (System.nanoTime() - began) / 1_000_000 shouldBeInRange
                        TIMEOUT.toMillis() - 50..TIMEOUT.toMillis() * 5
                    drip.join()
                    answer.problem(408, "too-slow")
                }
            }
        }
    }

    @Test
    fun `an idle keep-alive connection is not closed`(): Unit = connected { socket ->
        repeat(3) {
            socket.send("GET /health/liveness HTTP/1.1\r\nHost: x\r\n\r\n")
            socket.next() shouldStartWith "HTTP/1.1 200"
            Thread.sleep(TIMEOUT.toMillis() * 3 / 2)
        }
    }

    @Test
    fun `a connection is idle from its last request, whoever answered that`(): Unit = connected { socket ->
        val reserve = "POST /events/0/reservations HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        socket.send(reserve)
        socket.next() shouldStartWith "HTTP/1.1 400"
        Thread.sleep(IDLE.toMillis() / 2)
        val last = System.nanoTime()
        socket.send(reserve)
        socket.next() shouldStartWith "HTTP/1.1 400"
        socket.rest() shouldBe ""
        (System.nanoTime() - last) / 1_000_000 shouldBeInRange IDLE.toMillis() - 50..IDLE.toMillis() * 3
        Unit
    }

    @Test
    fun `unreadable input gets a problem document, and the connection ends`() {
        shouldBeRejected("NONSENSE\r\n\r\n", 400, "not-valid")
        val list = "GET /events HTTP/1.1\r\nHost: x\r\n"
        shouldBeRejected("${list}Idempotency-Key: a\u0000b\r\n\r\n", 400, "not-valid")
        shouldBeRejected("${list}Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "not-valid")
        val published = "POST /reservation HTTP/1.1\r\nHost: x\r\nuserId: u\r\nContent-Type: application/json\r\n"
        shouldBeRejected("${published}Transfer-Encoding: chunked\r\n\r\nno number\r\n", 400, "not-valid")
        shouldBeRejected("${list}X-Large: ${"a".repeat(100_000)}\r\n\r\n", 431, "headers-too-large")
        shouldBeRejected("GET /events?${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n", 414, "target-too-long")
    }

    @Test
    fun `earlier requests on the connection are answered first`(): Unit = connected { socket ->
        val valid = "GET /events/1 HTTP/1.1\r\nHost: x\r\n\r\n"
        socket.send(valid + valid + "NONSENSE\r\n\r\n")
        val statuses = Regex("HTTP/1\\.1 (\\d+)").findAll(socket.rest()).map { it.groupValues[1].toInt() }.toList()
        statuses.map { it in listOf(200, 404) } shouldBe listOf(true, true, false)
        statuses.last() shouldBe 400
        Unit
    }

    private fun shouldBeRejected(text: String, status: Int, type: String) = withClue(text.take(60)) {
        connected { socket ->
            socket.send(text)
            socket.rest().problem(status, type)
        }
        // Other connections are not affected.
        connected { socket ->
            socket.send("GET /health/liveness HTTP/1.1\r\nHost: x\r\n\r\n")
            socket.next() shouldStartWith "HTTP/1.1 200"
        }
    }

    private fun String.problem(status: Int, type: String) {
        this shouldStartWith "HTTP/1.1 $status "
        this shouldContain "application/problem+json"
        this shouldContain "\"/problems/$type\""
        this shouldNotContain "Exception"
        Regex("HTTP/1\\.1 ").findAll(this).count() shouldBe 1
    }

    private fun <T> connected(block: (Socket) -> T): T =
        Socket(InetAddress.getLoopbackAddress(), service.webServer!!.port).use { socket ->
            socket.soTimeout = 20_000
            block(socket)
        }

    /** Sends [text], then one byte after the other until the connection is closed. */
    private fun drip(socket: Socket, text: String) = try {
        socket.send(text)
        while (true) {
            Thread.sleep(TIMEOUT.toMillis() / 5)
            socket.send("a")
        }
    } catch (_: IOException) {
    }

    private fun Socket.send(text: String) = getOutputStream().run {
        write(text.toByteArray())
        flush()
    }

    /** Reads until the end of the stream. */
    private fun Socket.rest(): String = getInputStream().readAllBytes().decodeToString()

    /** Reads once. */
    private fun Socket.next(): String = ByteArray(10_000).let { String(it, 0, getInputStream().read(it)) }

    private companion object {
        val TIMEOUT: Duration = Duration.ofMillis(800)
        val IDLE: Duration = Duration.ofSeconds(5)
    }
}

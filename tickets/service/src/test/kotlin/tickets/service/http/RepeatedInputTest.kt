package threadgauge.tickets.service.http

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.netty.handler.codec.http.DefaultHttpHeaders
import java.net.InetAddress
import java.net.Socket
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext

/** Repeated headers and JSON members are rejected. No HTTP client sends them, so the tests send bytes. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatedInputTest {
    private lateinit var service: ReactiveWebServerApplicationContext
    private lateinit var event: String

    @BeforeAll
    fun start() {
        service = startTickets("--tickets.admin-token=$TOKEN", "--tickets.rehearsal=0s")
        event = idOf(post("/events", OPEN, "Authorization: Bearer $TOKEN"))
    }

    @AfterAll
    fun stop() = service.close()

    @Test
    fun `a repeated header that may appear once is rejected, even with equal values`() {
        val twice = listOf(
            "Idempotency-Key: a" to "idempotency-key: b", "Idempotency-Key: a" to "Idempotency-Key: a",
            "Authorization: Bearer $TOKEN" to "AUTHORIZATION: Bearer wrong", "Admission: a" to "Admission: b",
            "Content-Type: application/json" to "Content-Type: text/plain", "userId: a" to "userId: b",
            "Host: x" to "Host: y",
        )
        val paths = listOf(
            "/events/$event/reservations" to """{"quantity": 1}""", "/events" to OPEN,
            "/reservation" to """{"number": 1}""",
        )
        for ((path, body) in paths) for ((first, second) in twice) withClue("$path: $first and $second") {
            val others = USUAL.filter { it.substringBefore(':') != first.substringBefore(':') }
            val answer = send(path, body, others + first + second)
            answer.problem()
            answer shouldContain "\"The header ${first.substringBefore(':')} stands twice.\""
        }
        get("/events/$event") shouldContain "\"remaining\":100"
    }

    @Test
    fun `two lengths of a body are rejected, even equal ones`() {
        for (second in listOf(15, 14)) {
            val answer = send("/events/$event/reservations", """{"quantity": 1}""", USUAL + "Content-Length: $second")
            answer.problem()
        }
    }

    @Test
    fun `of two X-Request-Ids the first counts`() {
        val answer = send(
            "/events/$event/reservations", """{"quantity": 0}""", USUAL + "X-Request-Id: one" + "X-Request-Id: two",
        )
        answer.problem()
        answer.lowercase() shouldContain "x-request-id: one\r\n"
        answer.lowercase() shouldNotContain "two"
    }

    @Test
    fun `a repeated JSON member is rejected, and nothing is sold`() {
        for ((path, body) in listOf(
            "/events/$event/reservations" to """{"quantity": 1, "quantity": 2}""",
            "/events/$event/reservations" to """{"quantity": 1, "x": {"y": 1, "y": 1}}""",
            "/reservation" to """{"number": 1, "number": 1}""",
            "/events" to """{"name": "x", "capacity": 1, "capacity": 1}""",
        )) withClue(body) {
            val answer = send(path, body, USUAL)
            answer.problem()
            answer shouldContain "A member stands twice. The body must be JSON such as "
        }
        get("/events/$event") shouldContain "\"remaining\":100"
    }

    @Test
    fun `the scheme of the admin token ignores case, the token does not`() {
        for (scheme in listOf("bearer", "BEARER", "Bearer", "bEaReR  ")) withClue(scheme) {
            post("/events", OPEN, "Authorization: $scheme $TOKEN") shouldStartWith "HTTP/1.1 201"
        }
        val wrong = listOf(
            "bearer ${TOKEN.uppercase()}", "Basic $TOKEN", "bearer$TOKEN", "bearer", "Bearers $TOKEN", TOKEN,
        )
        for (header in wrong) withClue(header) {
            post("/events", OPEN, "Authorization: $header") shouldStartWith "HTTP/1.1 401"
        }
    }

    @Test
    fun `list headers may be repeated`() {
        repeatedHeader(DefaultHttpHeaders().add("Accept", "a").add("Accept", "b").add("Host", "x")) shouldBe null
        val answer = send("/events/$event/reservations", """{"quantity": 0}""", USUAL + "Accept: a/b" + "Accept: */*")
        answer shouldContain "quantity must be a whole number"
    }

    private fun post(path: String, body: String, vararg headers: String) =
        send(path, body, listOf("Host: x", "Content-Type: application/json") + headers)

    private fun get(path: String) = exchange("GET $path HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")

    private fun send(path: String, body: String, headers: List<String>) = exchange(
        "POST $path HTTP/1.1\r\n" + headers.joinToString("") { "$it\r\n" } +
            "Content-Length: ${body.length}\r\nConnection: close\r\n\r\n$body",
    )

    private fun exchange(text: String): String =
        Socket(InetAddress.getLoopbackAddress(), service.webServer!!.port).use { socket ->
            socket.soTimeout = 20_000
            socket.getOutputStream().write(text.toByteArray())
            socket.getInputStream().readAllBytes().decodeToString()
        }

    private fun String.problem() {
        this shouldStartWith "HTTP/1.1 400 "
        this shouldContain "application/problem+json"
        this shouldContain "\"/problems/not-valid\""
        Regex("HTTP/1\\.1 ").findAll(this).count() shouldBe 1
    }

    private fun idOf(answer: String) = Regex("\"id\":(\\d+)").find(answer)!!.groupValues[1]

    private companion object {
        const val TOKEN = "only-for-tests"
        const val OPEN = """{"name": "x", "capacity": 100}"""

        /** Each header that a request may have once. */
        val USUAL = listOf(
            "Host: x", "Content-Type: application/json", "Authorization: Bearer $TOKEN", "Idempotency-Key: k",
            "userId: u",
        )
    }
}

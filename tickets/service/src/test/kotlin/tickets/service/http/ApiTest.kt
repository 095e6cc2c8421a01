package threadgauge.tickets.service.http

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper

@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiTest {
    private lateinit var service: ReactiveWebServerApplicationContext
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private val keys = AtomicInteger()

    @BeforeAll
    fun start() {
        service = startTickets("--tickets.admin-token=$TOKEN", "--tickets.rehearsal=500ms")
    }

    @AfterAll
    fun stop() = service.close()

    @Test
    fun `a sale from its opening to the last seat`() {
        val event = open(capacity = 3)
        val first = reserve(event, 2, "a-$event")
        first.status shouldBe 201
        first.header("location") shouldBe "/reservations/${first.json["id"].asString()}"
        first.json["state"].asString() shouldBe "HELD"
        reserve(event, 2, "a-$event").body shouldBe first.body
        reserve(event, 1, "a-$event").problem(422, "key-taken")
        reserve(event, 2).problem(409, "too-few-seats")["remaining"].asInt() shouldBe 1
        reserve(event, 1).status shouldBe 201
        reserve(event, 1).problem(409, "too-few-seats")["detail"].asString() shouldBe "The event is sold out."

        val reservation = first.header("location")
        call("POST", "$reservation/confirm").json["state"].asString() shouldBe "CONFIRMED"
        call("POST", "$reservation/confirm").status shouldBe 200
        call("DELETE", reservation).problem(409, "over")["state"].asString() shouldBe "CONFIRMED"
        call("GET", reservation).json["quantity"].asInt() shouldBe 2
        call("GET", "/events/$event").json.run {
            listOf("capacity", "remaining", "held", "confirmed").map { get(it).asInt() } shouldBe listOf(3, 0, 1, 2)
        }
    }

    @Test
    fun `seats that are given back are for sale again`() {
        val event = open(capacity = 1)
        val reservation = reserve(event, 1).header("location")
        reserve(event, 1).problem(409, "too-few-seats")
        call("DELETE", reservation).json["state"].asString() shouldBe "RELEASED"
        call("DELETE", reservation).status shouldBe 200
        call("POST", "$reservation/confirm").problem(409, "over")
        reserve(event, 1).status shouldBe 201
    }

    @Test
    fun `an invalid number of seats is rejected and reserves nothing`() {
        val event = open(capacity = 10)
        val bad = listOf(
            """{"quantity": 0}""", """{"quantity": -1}""", """{"quantity": 1.5}""", """{"quantity": 101}""",
            """{"quantity": "2"}""", """{"quantity": 1e99}""", """{"quantity": 99999999999999999999}""",
            """{"quantity": null}""", """{"quantity": [1]}""", """{"quantity": true}""", "{}", "[]", "2", "null", "",
            "{", """{"quantity": 2""", "\u0000", """{"quantity": NaN}""",
        )
        bad.forEach { body -> withClue(body) { post("/events/$event/reservations", body).problem(400, "not-valid") } }
        call("GET", "/events/$event").json["remaining"].asInt() shouldBe 10
    }

    @Test
    fun `an unreadable body is answered with what is wrong and a valid example`() {
        val event = open(capacity = 10)
        fun detail(path: String, body: String): String {
            val answer = send("POST", path, body, "Authorization", "Bearer $TOKEN", "userId", "u")
            return answer.problem(400, "not-valid")["detail"].asString()
        }

        val quantity = """The body must be JSON such as {"quantity": 2}."""
        detail("/events/$event/reservations", """{"quantity": 1.5}""") shouldBe "quantity has the wrong type. $quantity"
        detail("/events/$event/reservations", """{"quantity": 1""") shouldBe quantity
        val number = """The body must be JSON such as {"number": 2}."""
        detail("/reservation", """{"number": "2"}""") shouldBe "number has the wrong type. $number"
        detail("/reservation", "x") shouldBe number
        detail("/reservation", """{"number": 0}""") shouldContain "number must be a whole number from 1 to"
        val opened = """The body must be JSON such as {"name": "Noon", "capacity": 500, "holdSeconds": 120}."""
        detail("/events", """{"name": "x", "capacity": "many"}""") shouldBe "capacity has the wrong type. $opened"
        detail("/events", "[]") shouldBe opened
    }

    @Test
    fun `the OpenAPI description is served as YAML`() {
        call("GET", "/openapi.yaml").run { status shouldBe 200; header("content-type") shouldBe "application/yaml" }
        OpenApiTest.OF_THE_FRAMEWORK.forEach { withClue(it) { call("GET", it).status shouldBe 200 } }
        // Other endpoints of the framework would reveal internal details.
        listOf("/env", "/beans", "/heapdump", "/info", "/actuator").forEach {
            withClue(it) { call("GET", it).status shouldBe 404 }
        }
    }

    @Test
    fun `a key is required, short and visible`() {
        val event = open(capacity = 10)
        fun key(vararg header: String) = send("POST", "/events/$event/reservations", """{"quantity": 1}""", *header)
        key().problem(400, "not-valid")["detail"].asString() shouldContain "Idempotency-Key"
        key("Idempotency-Key", "k".repeat(101)).problem(400, "not-valid")
        key("Idempotency-Key", "two words").problem(400, "not-valid")
        key("Idempotency-Key", "").problem(400, "not-valid")
        key("Idempotency-Key", "$event-".padEnd(101, 'k')).problem(400, "not-valid")
        key("Idempotency-Key", "$event-".padEnd(100, 'k')).status shouldBe 201
        call("GET", "/events/$event").json["held"].asInt() shouldBe 1
    }

    @Test
    fun `a body that is too large, of a wrong type or for an unknown path gets a problem document`() {
        val event = open(capacity = 10)
        val large = """{"quantity": 1, "x": "${"y".repeat(10_000_000)}"}"""
        post("/events/$event/reservations", large).problem(413, "too-large")
        val form = arrayOf("Idempotency-Key", "f-$event", "Content-Type", "text/plain")
        send("POST", "/events/$event/reservations", "quantity=1", *form).run {
            status shouldBe 415
            json["detail"].asString() shouldContain "Send application/json."
        }
        send("PUT", "/events/$event/reservations", "{}").status shouldBe 405
        listOf(
            "0", "-1", "x", "1.0", "01", "99999999999999999999", "1%3B%20drop%20table%20event", "%00", "%2531", "1%2F2",
        ).forEach {
            withClue(it) {
                call("GET", "/events/$it").problem(404, "no-such-event")
                post("/events/$it/reservations", """{"quantity": 1}""").problem(404, "no-such-event")
            }
        }
        listOf("x", "1-1-1-1-1", "00000000-0000-0000-0000-000000000000").forEach {
            call("GET", "/reservations/$it").problem(404, "no-such-reservation")
            call("DELETE", "/reservations/$it").problem(404, "no-such-reservation")
        }
        call("GET", "/nowhere").run {
            status shouldBe 404
            header("content-type") shouldStartWith "application/problem+json"
        }
    }

    @Test
    fun `answers are counted, without those of the rehearsal`() {
        val event = open(capacity = 2)
        fun counts() = call("GET", "/stats").json.let { stats ->
            listOf("granted", "tooFew").map { stats[it]["count"].asLong() }
        }
        val before = counts()
        // The rehearsal alone has 64 or more, its number of concurrent requests. The other tests have about a dozen.
        (before.sum() < 50) shouldBe true
        repeat(5) { reserve(event, 1) }
        counts() shouldBe listOf(before[0] + 2, before[1] + 3)
        call("GET", "/metrics").body shouldContain
            "tickets_reserve_seconds_count{answer=\"granted\",strategy=\"batch\"} ${before[0] + 2}"
        call("GET", "/events").json.none { it["name"].asString() == "rehearsal" } shouldBe true
    }

    @Test
    fun `a keep-alive connection serves any number of requests`() {
        val event = open(capacity = 1)
        // Sequential, so all use the same connection. The first request of each pair reads the ledger, the second does
        // not.
        repeat(300) {
            withClue("request $it") {
                call("GET", "/events/$event").status shouldBe 200
                call("GET", "/stats").status shouldBe 200
            }
        }
    }

    @Test
    fun `opening a sale needs the admin token and valid values`() {
        val body = """{"name": "x", "capacity": 1}"""
        send("POST", "/events", body).problem(401, "not-allowed")
        send("POST", "/events", body, "Authorization", "Bearer wrong").problem(401, "not-allowed")
        send("POST", "/events", body, "Authorization", TOKEN).problem(401, "not-allowed")
        // Without the token the body is not validated.
        listOf("", "{", """{"capacity": "many"}""").forEach {
            send("POST", "/events", it).problem(401, "not-allowed")
        }
        send("POST", "/events", "", "Authorization", "Bearer $TOKEN").problem(400, "not-valid")
        listOf(
            """{"capacity": 1}""", """{"name": "", "capacity": 1}""",
            """{"name": "${"n".repeat(201)}", "capacity": 1}""",
            """{"name": "x"}""", """{"name": "x", "capacity": -1}""", """{"name": "x", "capacity": 10000001}""",
            """{"name": "a\u0000b", "capacity": 1}""", """{"name": "\ud800", "capacity": 1}""",
            """{"name": "x", "capacity": 1, "holdSeconds": 0}""",
            """{"name": "x", "capacity": 1, "holdSeconds": 604801}""",
        ).forEach {
            withClue(it) { send("POST", "/events", it, "Authorization", "Bearer $TOKEN").problem(400, "not-valid") }
        }
    }

    @Test
    fun `the published request sells the event opened last, and keys belong to one user`() {
        val event = open(capacity = 5)
        fun published(user: String, key: String, number: Int = 1) =
            send("POST", "/reservation", """{"number": $number}""", "userId", user, "Idempotency-Key", "$key-$event")
        // The service looks for a new event once a second.
        var first = published("hers", "a")
        while (first.json["event"].asLong() != event) first = published("hers", "a-${keys.incrementAndGet()}")
        val again = published("hers", "b")
        again.status shouldBe 201
        published("hers", "b").body shouldBe again.body
        published("his", "b").problem(422, "key-taken")
        send("POST", "/events/$event/reservations", """{"quantity": 1}""", "Idempotency-Key", "b-$event")
            .problem(422, "key-taken")
        call("GET", "/events/$event").json["held"].asInt() shouldBe 2
    }

    @Test
    fun `names and keys are treated as text, whatever they contain`() {
        val name = "Robert'); DROP TABLE event; -- <script>alert(1)</script> \u202E \uD83C\uDFAB"
        val body = JSON.writeValueAsString(mapOf("name" to name, "capacity" to 2))
        val event = send("POST", "/events", body, "Authorization", "Bearer $TOKEN").json["id"].asLong()
        call("GET", "/events/$event").json["name"].asString() shouldBe name
        val key = "x');delete/**/from/**/reservation;--$event"
        val first = reserve(event, 1, key)
        first.status shouldBe 201
        reserve(event, 1, key).body shouldBe first.body
        call("GET", "/events/$event").json["held"].asInt() shouldBe 1
    }

    private fun open(capacity: Int): Long {
        val body = """{"name": "A sale", "capacity": $capacity}"""
        val opened = send("POST", "/events", body, "Authorization", "Bearer $TOKEN")
        opened.status shouldBe 201
        return opened.json["id"].asLong()
    }

    private fun reserve(event: Long, quantity: Int, key: String = "key-${keys.incrementAndGet()}-$event") =
        send("POST", "/events/$event/reservations", """{"quantity": $quantity}""", "Idempotency-Key", key)

    private fun post(path: String, body: String) =
        send("POST", path, body, "Idempotency-Key", "key-${keys.incrementAndGet()}")

    private fun call(method: String, path: String) = send(method, path, "")

    private fun send(method: String, path: String, body: String, vararg headers: String): Response {
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:${service.webServer!!.port}$path"))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
        if ("Content-Type" !in headers) request.header("Content-Type", "application/json")
        if (headers.isNotEmpty()) request.headers(*headers)
        request.timeout(Duration.ofSeconds(60))
        return Response(client.send(request.build(), HttpResponse.BodyHandlers.ofString()))
    }

    private class Response(response: HttpResponse<String>) {
        val status = response.statusCode()
        val body: String = response.body()
        private val headers = response.headers()
        val json: JsonNode get() = JSON.readTree(body)

        fun header(name: String): String = headers.firstValue(name).orElse("")

        /** Checks that it is a problem of this type, without internal details. */
        fun problem(status: Int, type: String): JsonNode = withClue("${this.status}: $body") {
            this.status shouldBe status
            header("content-type") shouldStartWith "application/problem+json"
            json["type"].asString() shouldBe "/problems/$type"
            listOf("Exception", "threadgauge", "org.", "select ").forEach { body shouldNotContain it }
            json
        }
    }

    private companion object {
        const val TOKEN = "only-for-tests"
        val JSON: JsonMapper = JsonMapper.builder().build()
    }
}

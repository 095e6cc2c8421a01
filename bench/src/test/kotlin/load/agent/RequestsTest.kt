package threadgauge.load.agent

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayOutputStream
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.zip.GZIPOutputStream
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.Received
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request

/** Requests are sent as the order says, and answers checked against what it expects. */
@Tag("ports")
class RequestsTest : EngineTest() {
    @Test
    fun `placeholders get new values for each request, in path, headers and body`() {
        val seen = ConcurrentLinkedQueue<Triple<String, String, String>>()
        val request = Request(
            "POST", "/seats/{1..6}/{seq}", mapOf("X-Trace" to "{random:4}"), "{\"row\": \"{csv:row}\", \"n\": {seq}}",
            csv = mapOf("row" to listOf("a", "b", "c")),
        )
        val result = ProgrammableServer {
            seen += Triple(path, head.substringAfter("X-Trace: ").substringBefore("\r\n"), body)
            answer()
        }.use { server -> load(server, Load.Loops(3, 100)) { it.copy(request = request) } }
        result.done.answered shouldBe 300
        seen.map { it.first.substringAfterLast('/').toInt() } shouldContainExactlyInAnyOrder (0..299).toList()
        seen.forEach { (path, trace, body) ->
            val number = path.substringAfterLast('/').toInt()
            path.split('/')[2].toInt() shouldBeInRange 1..6
            trace.matches(Regex("[a-z0-9]{4}")) shouldBe true
            body shouldBe "{\"row\": \"${"abc"[number % 3]}\", \"n\": $number}"
        }
        seen.groupingBy { it.first.split('/')[2] }.eachCount().values.forEach { it shouldBeInRange 25..80 }
    }

    @Test
    fun `slices together send what the whole sends`() {
        val request = Request(path = "/{1..1000000}/{seq}")
        fun paths(slices: Int) = ConcurrentLinkedQueue<String>().also { seen ->
            ProgrammableServer { seen += path; answer() }.use { server ->
                for (slice in 0..<slices) {
                    load(server, Load.Burst(60), loops = 2) {
                        it.copy(request = request, slice = slice, slices = slices)
                    }
                }
            }
        }.sorted()
        paths(slices = 3) shouldBe paths(slices = 1)
    }

    @Test
    fun `headers of the user replace the engine's own`() {
        var head = ""
        val request = Request(path = "/", headers = mapOf("user-agent" to "probe", "Accept" to "text/plain"))
        ProgrammableServer { head = this.head; answer() }
            .use { server -> load(server, Load.Loops(1, 1)) { it.copy(request = request) } }
        head shouldContain "user-agent: probe\r\nAccept: text/plain\r\n"
        Regex("(?i)user-agent").findAll(head).count() shouldBe 1
    }

    @Test
    fun `every check finds the answers that violate it, and only those`() {
        fun wrongOf(expect: Expectation, bad: String, good: String): Long? {
            val server = ProgrammableServer { number -> answer(body = if (number % 4 == 0) bad else good) }
            val result = server.use {
                load(server, Load.Loops(1, 40)) { it.copy(request = Request(path = "/", expect = expect)) }
            }
            result.done.answered shouldBe 30
            return result.done.failures[Outcome.WRONG_BODY]
        }
        wrongOf(Expectation(body = "good"), "evil", "good") shouldBe 10
        wrongOf(Expectation(contains = "oo"), "evil", "good") shouldBe 10
        val granted = Expectation(json = mapOf("seat.state" to "granted"))
        wrongOf(granted, """{"seat":{"state":"gone"}}""", """{"seat":{"state":"granted"}}""") shouldBe 10
        wrongOf(Expectation(json = mapOf("list.1" to "7")), "[]", """{"list":[1,7]}""") shouldBe 10
        wrongOf(Expectation(json = mapOf("ok" to "true")), "{not json", """{"ok":true}""") shouldBe 10
    }

    @Test
    fun `an expected status is correct, whatever its class`() {
        val result = ProgrammableServer { number ->
            answer(status = if (number % 2 == 0) "409 Conflict" else "201 Created")
        }.use { server ->
            load(server, Load.Loops(1, 20)) {
                it.copy(request = Request(path = "/", expect = Expectation(statuses = listOf(201, 409))))
            }
        }
        result.done.answered shouldBe 20
        val strict = ProgrammableServer { answer() }.use { server ->
            load(server, Load.Loops(1, 5)) {
                it.copy(request = Request(path = "/", expect = Expectation(statuses = listOf(201))))
            }
        }
        strict.done.failures shouldBe mapOf(Outcome.UNEXPECTED_STATUS to 5L)
    }

    @Test
    fun `values of a field are counted`() {
        val result = ProgrammableServer { number ->
            answer(body = listOf("""{"outcome":"granted"}""", """{"outcome":"sold out"}""", "{}", "<html>")[number % 4])
        }.use { server ->
            load(server, Load.Loops(2, 20)) { it.copy(request = Request(path = "/", count = "outcome")) }
        }
        result.done.counted shouldBe mapOf("granted" to 10L, "sold out" to 10L, "(none)" to 20L)
    }

    @Test
    fun `a field with ever new values does not fill the heap`() {
        val result = ProgrammableServer { number -> answer(body = """{"id":$number}""") }.use { server ->
            load(server, Load.Loops(2, 200)) { it.copy(request = Request(path = "/", count = "id")) }
        }
        result.done.counted.size shouldBe 101
        result.done.counted["(others)"] shouldBe 300
    }

    @Test
    fun `a compressed answer is checked after decompression, and both sizes are counted`() {
        val text = "seat ".repeat(200)
        val packed = ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(text.toByteArray()) } }
            .toByteArray()
        var accepts = ""
        val result = ProgrammableServer { number ->
            accepts = head
            if (number % 2 == 0) {
                val head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.size}\r\n\r\n"
                raw(head.toByteArray() + packed)
            } else {
                answer(body = text)
            }
        }.use { server ->
            load(server, Load.Loops(1, 10)) {
                it.copy(request = Request(path = "/", gzip = true, expect = Expectation(body = text)))
            }
        }
        accepts shouldContain "Accept-Encoding: gzip\r\n"
        result.done.failures.shouldBeEmpty()
        result.done.received shouldBe Received(5L * packed.size + 5L * text.length, 10L * text.length)
    }

    @Test
    fun `random bytes declared as gzip are malformed`() {
        val result = ProgrammableServer {
            answer(body = "rubbish and more rubbish", headers = "Content-Encoding: gzip\r\n")
        }.use { server ->
            load(server, Load.Loops(1, 5)) { it.copy(request = Request(path = "/", gzip = true)) }
        }
        result.done.failures shouldBe mapOf(Outcome.MALFORMED to 5L)
    }

    @Test
    fun `the body waits for 100 Continue, and is not sent if the server refuses`() {
        val bodies = ConcurrentLinkedQueue<String>()
        val request = Request("POST", "/", mapOf("Expect" to "100-continue"), "n={seq}")
        val result = ProgrammableServer { number ->
            if (number % 2 == 0) {
                raw("HTTP/1.1 100 Continue\r\n\r\n")
                bodies += body
                answer()
            } else {
                answer(status = "417 Expectation Failed", headers = "Connection: close\r\n")
                closeConnection()
            }
        }.use { server -> load(server, Load.Loops(1, 10)) { it.copy(request = request) } }
        bodies.toList() shouldBe listOf("n=0", "n=2", "n=4", "n=6", "n=8")
        result.done.answered shouldBe 5
        result.done.failures shouldBe mapOf(Outcome.CLIENT_ERROR to 5L)
    }

    @Test
    fun `a server that never says 100 Continue gets the body after a second`() {
        val request = Request("POST", "/", mapOf("Expect" to "100-continue"), "late")
        var received = ""
        val result = ProgrammableServer { received = body; answer() }
            .use { server -> load(server, Load.Loops(1, 1)) { it.copy(request = request) } }
        received shouldBe "late"
        (result.latency.minMicros in 0.95e6..2.5e6) shouldBe true
    }

    @Test
    fun `each request can have a connection of its own`() {
        var head = ""
        ProgrammableServer {
            head = this.head
            answer(headers = "Connection: close\r\n")
            closeConnection()
        }.use { server ->
            val result = load(server, Load.Loops(4, 25)) { it.copy(connections = Connections(perRequest = true)) }
            result.done.answered shouldBe 100
            result.done.connectionsOpened shouldBe 100
            server.connections.get() shouldBe 100
        }
        head shouldContain "Connection: close\r\n"
    }

    @Test
    fun `each request has a connection of its own even if the server would keep it`() {
        ProgrammableServer { answer() }.use { server ->
            val result = load(server, Load.Loops(2, 10)) { it.copy(connections = Connections(perRequest = true)) }
            result.done.answered shouldBe 20
            server.connections.get() shouldBe 20
        }
    }

    @Test
    fun `targets get requests in turn`() {
        val servers = List(3) { ProgrammableServer { answer() } }
        val targets = servers.map { Address("127.0.0.1", it.port) }
        val open = load(servers[0], Load.Rate(300.0, SECOND)) { it.copy(targets = targets) }
        open.done.answered shouldBe 300
        servers.map { it.requests.get() } shouldBe listOf(100, 100, 100)
        val closed = load(servers[0], Load.Loops(6, 10)) { it.copy(targets = targets) }
        closed.done.answered shouldBe 60
        servers.map { it.requests.get() } shouldBe listOf(120, 120, 120)
        servers.forEach { it.close() }
    }

    @Test
    fun `connections leave from the source addresses in turn`() {
        val from = ConcurrentLinkedQueue<String>()
        ProgrammableServer { from += this.from.hostAddress; answer() }.use { server ->
            load(server, Load.Loops(6, 1)) {
                it.copy(connections = Connections(sources = listOf("127.0.0.2", "127.0.0.3")))
            }
        }
        from.groupingBy { it }.eachCount() shouldBe mapOf("127.0.0.2" to 3, "127.0.0.3" to 3)
    }
}

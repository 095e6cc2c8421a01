package threadgauge.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.check.runtime.recordedHellos
import threadgauge.contract.client.Access
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Reply
import threadgauge.contract.example.Sabotage
import threadgauge.contract.example.Silence
import threadgauge.contract.example.report
import threadgauge.contract.example.text

/** Every check must be able to fail: each sabotage is found, by the check that it is about. */
@Tag("processes")
class HttpContractTest {
    @Test
    fun `a correct server breaks no rule`() = against(paths = null) { it.shouldBeEmpty() }

    @Test
    fun `a wrong body is found, and the sentence holds the request, the expected and the actual answer`() =
        against(at("/hello") { it().copy(body = "hullo") }) { violations ->
            violations shouldHaveSize 1
            violations.single() shouldContain "/hello says hello as plain text in UTF-8: " +
                """GET /hello: expected body "hello" (5 bytes), got "hullo" (5 bytes)"""
        }

    @Test
    fun `a body in another charset is found`() =
        against(at("/hello") { it().copy(type = "text/plain;charset=ISO-8859-1") }) {
            it.single() shouldContain "ISO-8859-1"
        }

    @Test
    fun `a server that reports another model is found`() = against(model = "PLATFORM_THREADS") { violations ->
        violations.joinToString() shouldContain "expected model to be \"PLATFORM_THREADS\", got \"VIRTUAL_THREADS\""
    }

    @Test
    fun `a server that reports a false model is found by its threads`() {
        val report = report(model = "EVENT_LOOP", thread = "worker-1")
        val falseReport = at("/runtime") { Reply(200, "application/json", report) }
        against(falseReport, model = "EVENT_LOOP") { violations ->
            violations shouldHaveSize 2
            violations[0] shouldContain
                "expected handlerThread.virtual to be false, for the model is EVENT_LOOP, got true"
            violations[1] shouldContain
                "expected handlerThread.name to be an event loop, for the model is EVENT_LOOP, got"
        }
    }

    @Test
    fun `coroutines may begin on a thread of a servlet container, and on no other pool thread`() {
        fun reporting(thread: String) = at("/runtime") {
            Reply(200, "application/json", report(virtual = false, model = "COROUTINES", thread = thread))
        }
        val names = listOf("http-nio-127.0.0.1-8080-exec-3", "https-jsse-nio-127.0.0.1-8443-exec-8", "parallel-1")
        names.forEach { thread -> against(reporting(thread), model = "COROUTINES") { it.shouldBeEmpty() } }
        against(reporting("pool-1-thread-3"), model = "COROUTINES") {
            it.single() shouldContain "one of a servlet container"
        }
    }

    @Test
    fun `an answer that comes too early is found`() = against(at("/delay/25") { text("waited 25") }) {
        it.single() shouldContain "GET /delay/25: expected to wait at least 25 ms, got the answer after"
    }

    @Test
    fun `an answer from a cache is found`() {
        var waited = false
        against(at("/block/25") { right -> if (waited) text("blocked 25") else right().also { waited = true } }) {
            it.single() shouldContain "GET /block/25: expected to wait at least 25 ms"
        }
    }

    @Test
    fun `a long string of other characters is found`() =
        against(at("/api/random/string/100000") { right -> right().run { copy(body = body.reversed()) } }) {
            it.single() shouldContain "expected a body with SHA-256"
        }

    @Test
    fun `a stack trace in a body is found`() {
        val trace = "java.lang.NumberFormatException: ten\n\tat java.lang.Integer.parse(Integer.java:1)"
        against(at("/delay/ten") { it().copy(body = trace) }) {
            it.single() shouldContain "expected no stack trace in the body"
        }
    }

    @Test
    fun `a server without metrics of its JVM is found`() =
        against(at("/metrics") { it().copy(body = "threads 1\n") }) {
            it.single() shouldContain "expected metrics that begin with jvm_, got"
        }

    @Test
    fun `timed requests are found by whatever label holds their path`() {
        val others = "jvm_threads 3\nhttp_server_requests_seconds_count{uri=\"/delay/{ms}\"} 4\n"
        recordedHellos(others) shouldBe 0
        val spring = "http_server_requests_seconds_count{method=\"GET\",uri=\"/hello\",status=\"200\"} 5\n"
        val ktor = "http_server_requests_seconds_count{method=\"GET\",route=\"/hello\",status=\"200\"} 2.0\n"
        recordedHellos(others + spring + ktor) shouldBe 7
    }

    @Test
    fun `an endpoint that hangs is a violation, and the check ends`() =
        against(at("/offload/0") { throw Silence() }, patience = 3.seconds) {
            it.first() shouldContain "GET /offload/0 was not answered in full within 3s"
        }

    @Test
    fun `an answer that stops half way is a violation, and the check ends`() = against({ exchange, right ->
        if (exchange.requestURI.path == "/delay/0") {
            exchange.sendResponseHeaders(200, 8)
            exchange.responseBody.write("wai".toByteArray())
            exchange.responseBody.flush()
            throw Silence()
        }
        right()
    }, patience = 3.seconds) { it.first() shouldContain "GET /delay/0 was not answered in full" }

    @Test
    fun `a server that never answers gets no further request`() {
        val received = AtomicInteger()
        val violations = violations(
            { _, _ ->
                received.incrementAndGet()
                throw Silence()
            },
            patience = 1.seconds,
        )
        received.get() shouldBe 1
        violations shouldHaveSize 2
        violations.last() shouldContain "further checks were left out"
    }

    @Test
    fun `a server that refuses connections is a violation`() {
        val base = ExampleServer().use { it.base }
        HttpContract.violations(Access(base), "example", "VIRTUAL_THREADS").first() shouldContain "GET /hello failed"
    }

    @Test
    fun `only the endpoints of the load are checked`() {
        val broken = at("/offload/0") { text("no") }
        violations(broken, paths = setOf("/delay/1")).shouldBeEmpty()
        violations(broken, paths = setOf("/offload/1?a")) shouldHaveSize 1
        violations(at("/hello") { text("no") }, paths = setOf("/delay/1")) shouldHaveSize 1
    }

    @Test
    fun `every check can fail`() {
        val failing: Sabotage = { _, _ -> Reply(500, "text/html", "oops", mapOf("Connection" to "close")) }
        val violations = violations(failing, model = "COROUTINES", paths = null)
        violations.map { it.substringBefore(": ") } shouldContainExactlyInAnyOrder
            HttpContract.checks.map { it.sentence }
    }

    private fun at(path: String, reply: (right: () -> Reply) -> Reply): Sabotage = { exchange, right ->
        if (exchange.requestURI.path == path && exchange.requestMethod == "GET") reply(right) else right()
    }

    private fun against(
        sabotage: Sabotage = { _, right -> right() },
        model: String = "VIRTUAL_THREADS",
        paths: Set<String>? = PLAIN,
        patience: Duration = 20.seconds,
        verify: (List<String>) -> Unit,
    ) = violations(sabotage, model, paths, patience).let { withClue(it) { verify(it) } }

    private fun violations(
        sabotage: Sabotage,
        model: String = "VIRTUAL_THREADS",
        paths: Set<String>? = PLAIN,
        patience: Duration = 20.seconds,
    ) = ExampleServer(sabotage = sabotage).use {
        HttpContract.violations(Access(it.base), "example", model, paths, patience, it.counters)
    }

    private companion object {
        /** Served by every edition. */
        val PLAIN = setOf("/delay/1", "/block/1", "/offload/1", "/api/random/string/1", "/metrics")
    }
}

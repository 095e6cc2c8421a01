package threadgauge.tickets.service.http

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import threadgauge.tickets.service.store.LedgerPool
import threadgauge.tickets.service.store.SqlLedger
import tools.jackson.databind.json.JsonMapper

/** The response to a failed request leads to its line in the log. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestIdTest {
    private lateinit var service: ReactiveWebServerApplicationContext
    private lateinit var log: Path
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    @BeforeAll
    fun start(@TempDir folder: Path) {
        log = folder.resolve("log")
        service = start()
    }

    @AfterAll
    fun stop() = service.close()

    private fun start(vararg settings: String) = startTickets(
        "--tickets.rehearsal=0s", "--logging.file.name=$log", "--logging.structured.format.file=ecs", *settings,
    )

    @Test
    fun `a response has the ID of its request, if that is valid`() {
        for (path in listOf("/events", "/health/liveness", "/nowhere", "/events/0/reservations")) withClue(path) {
            request(path, "a-1_b").header() shouldBe "a-1_b"
            request(path, null).header() shouldBe null
            listOf("x".repeat(101), "two words").forEach { request(path, it).header() shouldBe null }
        }
        request("/events/0/reservations", "mine", "POST").run { statusCode() shouldBe 404; header() shouldBe "mine" }
    }

    @Test
    fun `a failure is answered and logged with the same ID, which is generated if there is none`() {
        start().use { failing ->
            failing.getBeansOfType(LedgerPool::class.java).values.forEach { it.close() }
            for (path in listOf("/events", "/events/1/reservations")) withClue(path) {
                val method = if (path == "/events") "GET" else "POST"
                failed(request(path, "known$path", method, failing)) shouldBe "known$path"
                val made = failed(request(path, null, method, failing))
                failed(request(path, "two words", method, failing)) shouldNotBe made
            }
        }
    }

    @Test
    fun `an unknown outcome is logged with its ID, in one line without a stack trace`() {
        start("--tickets.queue.timeout=500ms", "--tickets.admin-token=t").use { failing ->
            val event = runBlocking { failing.getBean(SqlLedger::class.java).open("noon", 10, 1.minutes) }
            // After one success the event is known. On a busy machine some requests exceed the short timeout.
            val path = "/events/$event/reservations"
            (1..20).any { request(path, null, "POST", failing).statusCode() == 201 } shouldBe true
            failing.getBeansOfType(LedgerPool::class.java).values.forEach { it.close() }
            failed(request(path, "late-1", "POST", failing)) shouldBe "late-1"
        }
    }

    /** Returns the ID in header, body and log. The log must have it once, without a stack trace. */
    private fun failed(answer: HttpResponse<String>): String {
        answer.statusCode() shouldBe 503
        val id = answer.header()!!
        JSON.readTree(answer.body())["request"].asString() shouldBe id
        val lines = log.readLines().map(JSON::readTree).filter { id in it.toString() }
        lines shouldHaveSize 1
        lines.single()["log"]["level"].asString() shouldBe "WARN"
        lines.single().has("error") shouldBe false
        return id
    }

    private fun request(
        path: String,
        id: String?,
        method: String = "GET",
        of: ReactiveWebServerApplicationContext = service,
    ): HttpResponse<String> {
        val body = if (method == "GET") HttpRequest.BodyPublishers.noBody() else
            HttpRequest.BodyPublishers.ofString("""{"quantity": 1}""")
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:${of.webServer!!.port}$path"))
            .method(method, body).header("Content-Type", "application/json").header("Idempotency-Key", "key")
        id?.let { request.header(REQUEST_ID, it) }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
    }

    private fun HttpResponse<String>.header(): String? = headers().firstValue(REQUEST_ID).orElse(null)

    private companion object {
        val JSON = JsonMapper()
    }
}

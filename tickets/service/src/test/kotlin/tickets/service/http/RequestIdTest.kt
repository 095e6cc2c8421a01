package threadgauge.tickets.service.http

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
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
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Path
import kotlin.io.path.readLines
import kotlin.time.Duration.Companion.minutes

/** Whoever has an answer of a service that failed finds the line in its log. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestIdTest {
    private lateinit var service: ReactiveWebServerApplicationContext
    private lateinit var log: Path
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    @BeforeAll
    fun start(@TempDir folder: Path) {
        log = folder.resolve("log")
        service = startTickets("--tickets.rehearsal=0s", "--logging.file.name=$log", "--logging.structured.format.file=ecs")
    }

    @AfterAll
    fun stop() = service.close()

    @Test
    fun `an answer has the name that the request had, if it can be one`() {
        for (path in listOf("/events", "/health/liveness", "/nowhere", "/events/0/reservations")) withClue(path) {
            ask(path, "a-1_b").header() shouldBe "a-1_b"
            ask(path, null).header() shouldBe null
            listOf("x".repeat(101), "two words").forEach { ask(path, it).header() shouldBe null }
        }
        ask("/events/0/reservations", "mine", "POST").run { statusCode() shouldBe 404; header() shouldBe "mine" }
    }

    @Test
    fun `a failure of the service is told and logged by the same name, which is made where there is none`() {
        startTickets("--tickets.rehearsal=0s", "--logging.file.name=$log", "--logging.structured.format.file=ecs").use { failing ->
            failing.getBeansOfType(LedgerPool::class.java).values.forEach { it.close() }
            for (path in listOf("/events", "/events/1/reservations")) withClue(path) {
                val method = if (path == "/events") "GET" else "POST"
                failed(ask(path, "known$path", method, failing)) shouldBe "known$path"
                val made = failed(ask(path, null, method, failing))
                failed(ask(path, "two words", method, failing)) shouldNotBe made
            }
        }
    }

    @Test
    fun `who is told that nobody knows finds his request in the log, and no more of it than a line`() {
        val settings = arrayOf(
            "--tickets.rehearsal=0s", "--tickets.queue.patience=500ms", "--tickets.admin-token=t",
            "--logging.file.name=$log", "--logging.structured.format.file=ecs",
        )
        startTickets(*settings).use { failing ->
            val event = runBlocking { failing.getBean(SqlLedger::class.java).open("noon", 10, 1.minutes) }
            // The event is known from then on. A machine that does much else may be too slow for so little patience.
            (1..20).any { ask("/events/$event/reservations", null, "POST", failing).statusCode() == 201 } shouldBe true
            failing.getBeansOfType(LedgerPool::class.java).values.forEach { it.close() }
            failed(ask("/events/$event/reservations", "late-1", "POST", failing)) shouldBe "late-1"
        }
    }

    /** The name in the header, the body and the log, where it must be once, without the places in the code that only a bug has. */
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

    private fun ask(
        path: String,
        id: String?,
        method: String = "GET",
        of: ReactiveWebServerApplicationContext = service,
    ): HttpResponse<String> {
        val body = if (method == "GET") HttpRequest.BodyPublishers.noBody() else HttpRequest.BodyPublishers.ofString("""{"quantity": 1}""")
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

package threadgauge.tickets.service

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.Timeout
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.service.http.RehearsalAccess
import threadgauge.tickets.service.http.startTickets
import threadgauge.tickets.service.store.LedgerPool
import threadgauge.tickets.service.store.SqlLedger
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.minutes

/** A service whose rehearsal does not go well is never started, and then these tests run into their time. */
@Tag("processes")
@Timeout(120)
class RehearsalTest {
    private val client = HttpClient.newHttpClient()

    @Test
    fun `a service that starts in the middle of a sale takes no caller of it, and nobody sees its rehearsal`() {
        startTickets("--tickets.rehearsal=0s").use { selling ->
            val event = runBlocking { selling.getBean(SqlLedger::class.java).open("noon", 1_000_000, 10.minutes) }
            val starting = thread { startTickets("--tickets.rehearsal=2s").close() }
            var sold = 0
            while (starting.isAlive) {
                val request = HttpRequest.newBuilder(selling.at("127.0.0.1", "/reservation")).header("userId", "u")
                    .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString("""{"number": 1}"""))
                val answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                answer.statusCode() shouldBe 201
                answer.body() shouldContain "\"event\":$event,"
                sold++
            }
            runBlocking { selling.getBean(SqlLedger::class.java).event(event)!!.held } shouldBe sold
            selling.count("select count(*) from event where kind = 'REHEARSAL' and opened_at > now() - interval '1 minute'") shouldBe 0
            val rehearsed = "select count(*) from event where kind = 'OVER' and id > $event"
            selling.count(rehearsed) shouldBe 1
            selling.count("select count(*) from reservation r join event e on e.id = r.event where e.kind = 'OVER'") shouldBe 0
        }
    }

    @TestFactory
    fun `every way to sell can be rehearsed`() = Strategies.ALL.map { name ->
        dynamicTest(name) {
            startTickets("--tickets.rehearsal=200ms", "--tickets.strategy=$name", "--tickets.redis=${TestRedis.address}").close()
        }
    }

    @Test
    fun `a rehearsal needs no turn in a waiting room`() {
        startTickets("--tickets.rehearsal=500ms", "--tickets.admission.rate=0.001", "--tickets.admission.secret=sixteen-characters").use {
            client.send(HttpRequest.newBuilder(it.at("127.0.0.1", "/health/readiness")).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode() shouldBe 200
        }
    }

    @Test
    fun `a service that listens at one address rehearses there`() {
        startTickets("--tickets.rehearsal=500ms", "--server.address=127.0.0.2").use {
            client.send(HttpRequest.newBuilder(it.at("127.0.0.2", "/health/readiness")).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode() shouldBe 200
        }
    }

    @Test
    fun `whoever does not know the word is not let on to the stage`() {
        val access = RehearsalAccess()
        access.admit("7", "word") shouldBe null
        val token = access.open(EventId(7))
        access.admit("7", token) shouldBe EventId(7)
        val strangers = listOf("8" to token, "7" to "$token.", "7" to "", "7" to null, "07" to token)
        strangers.forEach { (event, sent) -> access.admit(event, sent) shouldBe null }
        access.close()
        access.admit("7", token) shouldBe null
    }

    @Test
    fun `a rehearsal in which most callers are turned away is told as what it was`() {
        val result = RehearsalClient.Result()
        result.record(null, IllegalStateException("nobody there"))
        result.record(null, IllegalStateException("something else"))
        shouldThrow<IllegalStateException> { result.requireSuccess() }.message shouldContain "2 of 2 requests"
        shouldThrow<IllegalStateException> { result.requireSuccess() }.message shouldContain "nobody there"
    }

    private fun ReactiveWebServerApplicationContext.at(host: String, path: String) = URI("http://$host:${webServer!!.port}$path")

    private fun ReactiveWebServerApplicationContext.count(sql: String): Long =
        getBean("books", LedgerPool::class.java).connection.use { books ->
            books.createStatement().use { statement -> statement.executeQuery(sql).use { it.next(); it.getLong(1) } }
                .also { books.rollback() }
        }
}

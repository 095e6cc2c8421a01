package threadgauge.tickets.service

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.minutes
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

/** If a rehearsal fails, the service never becomes ready, and the test fails by its timeout. */
@Tag("processes")
@Timeout(120)
class RehearsalTest {
    private val client = HttpClient.newHttpClient()

    @Test
    fun `a service that starts during a sale takes no request from it, and its rehearsal is invisible`() {
        startTickets("--tickets.rehearsal=0s").use { selling ->
            val ledger = selling.getBean(SqlLedger::class.java)
            val event = runBlocking { ledger.open("noon", 1_000_000, 10.minutes) }
            val starting = thread { startTickets("--tickets.rehearsal=2s").close() }
            var sold = 0
            while (starting.isAlive) {
                val request = HttpRequest.newBuilder(selling.at("127.0.0.1", "/reservation"))
                    .header("userId", "u").header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("""{"number": 1}"""))
                val answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                answer.statusCode() shouldBe 201
                answer.body() shouldContain "\"event\":$event,"
                sold++
            }
            runBlocking { ledger.event(event)!!.held } shouldBe sold
            val isNew = "opened_at > now() - interval '1 minute'"
            selling.count("select count(*) from event where kind = 'REHEARSAL' and $isNew") shouldBe 0
            selling.count("select count(*) from event where kind = 'OVER' and id > $event") shouldBe 1
            val reservations = "select count(*) from reservation r join event e on e.id = r.event"
            selling.count("$reservations where e.kind = 'OVER'") shouldBe 0
        }
    }

    @TestFactory
    fun `every strategy can be rehearsed`() = Strategies.ALL.map { name ->
        dynamicTest(name) {
            val strategy = arrayOf("--tickets.strategy=$name", "--tickets.redis=${TestRedis.address}")
            startTickets("--tickets.rehearsal=200ms", *strategy).close()
        }
    }

    @Test
    fun `a rehearsal needs no time slot of a waiting room`() {
        val waitingRoom = arrayOf("--tickets.admission.rate=0.001", "--tickets.admission.secret=sixteen-characters")
        startTickets("--tickets.rehearsal=500ms", *waitingRoom).use { it.readiness("127.0.0.1") shouldBe 200 }
    }

    @Test
    fun `a service that listens at one address rehearses there`() {
        startTickets("--tickets.rehearsal=500ms", "--server.address=127.0.0.2").use {
            it.readiness("127.0.0.2") shouldBe 200
        }
    }

    @Test
    fun `a request without the token is not admitted to a rehearsal`() {
        val access = RehearsalAccess()
        access.admit("7", "token") shouldBe null
        val token = access.open(EventId(7))
        access.admit("7", token) shouldBe EventId(7)
        val others = listOf("8" to token, "7" to "$token.", "7" to "", "7" to null, "07" to token)
        others.forEach { (event, sent) -> access.admit(event, sent) shouldBe null }
        access.close()
        access.admit("7", token) shouldBe null
    }

    @Test
    fun `a rehearsal in which most requests fail reports why`() {
        val result = RehearsalClient.Result()
        result.record(null, IllegalStateException("connection refused"))
        result.record(null, IllegalStateException("something else"))
        shouldThrow<IllegalStateException> { result.requireSuccess() }.message shouldContain "2 of 2 requests"
        shouldThrow<IllegalStateException> { result.requireSuccess() }.message shouldContain "connection refused"
    }

    private fun ReactiveWebServerApplicationContext.at(host: String, path: String) =
        URI("http://$host:${webServer!!.port}$path")

    private fun ReactiveWebServerApplicationContext.readiness(host: String): Int {
        val request = HttpRequest.newBuilder(at(host, "/health/readiness")).build()
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()
    }

    private fun ReactiveWebServerApplicationContext.count(sql: String): Long =
        getBean("grantPool", LedgerPool::class.java).connection.use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery(sql).use { it.next(); it.getLong(1) }
            }.also { connection.rollback() }
        }
}

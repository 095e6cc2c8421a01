package threadgauge.run.sale

import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.sampleOf
import threadgauge.model.Auditor
import threadgauge.model.EventsOnSale
import threadgauge.model.Load
import threadgauge.model.SaleAudit
import threadgauge.model.SaleLedger
import threadgauge.model.SaleTerms
import threadgauge.model.Situation
import threadgauge.model.request.Request
import threadgauge.run.Cancellation
import threadgauge.target.Cores
import threadgauge.target.TargetFailed
import threadgauge.wording.failure.words

@Tag("ports")
class SaleEventsTest {
    @TempDir
    lateinit var folder: Path

    /** How many of two seats the service below sells, and the requests that it got. */
    private var sells = 2
    private val asked = ConcurrentLinkedQueue<String>()
    private var sold = 0
    private var opened = 0
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/") { exchange ->
            val body = exchange.requestBody.readBytes().decodeToString()
            asked += "${exchange.requestURI.path} ${exchange.requestHeaders.getFirst("Authorization")} $body"
            val isOpening = exchange.requestURI.path == "/events"
            if (isOpening) exchange.responseHeaders.add("Location", "/events/${7 + opened++}")
            val isGranted = isOpening || sold++ < sells
            exchange.sendResponseHeaders(if (isGranted) 201 else 409, -1)
            exchange.close()
        }
        start()
    }

    @AfterEach
    fun stop() = server.stop(0)

    @Test
    fun `each load has an event of its own, and its id stands wherever the request names it`() {
        val request = Request(
            "POST", "/events/{event}/reservations", headers = mapOf("Idempotency-Key" to "{event}-{seq}"),
            body = "{event} {quantity}",
        )
        val open = sales().open(Situation("noon", "buy", request, Load.Burst(1), sale = SaleTerms(500)))
        open.events shouldBe listOf(7)
        open.asked.request.path shouldBe "/events/7/reservations"
        open.asked.request.headers shouldBe mapOf("Idempotency-Key" to "7-{seq}")
        open.asked.request.body shouldBe "7 {quantity}"
        asked shouldContainExactly
            listOf("""/events Bearer secret {"name": "noon", "capacity": 500, "holdSeconds": 21600}""")
    }

    @Test
    fun `several events are opened for each load, and the load agent gets their ids`() {
        val request =
            Request("POST", "/events/{event}/reservations", headers = mapOf("Idempotency-Key" to "{event}-{seq}"))
        val noon = Situation("noon", "buy", request, Load.Burst(1), sale = SaleTerms(500, events = 3, hot = 0.5))
        val sales = sales()
        sales.open(noon)
            .asked shouldBe noon.copy(request = request.copy(events = EventsOnSale(listOf(7, 8, 9), hot = 0.5)))
        sales.open(noon.copy(sale = SaleTerms(500, events = 2)))
            .asked.request.events shouldBe EventsOnSale(listOf(10, 11))
        asked.map { seatsOf(it) } shouldContainExactly List(5) { 500 }
    }

    @Test
    fun `an event of a warm-up has seats for twice its expected requests, but at most for all of them`() {
        val terms = SaleTerms(500, events = 5, hot = 0.6)
        val several = Situation("noon", "buy", Request(path = "/events/{event}"), Load.Burst(1), sale = terms)
        sales().openForWarmUp(several, 1_000_000_000)
        sales().openForWarmUp(several.copy(sale = SaleTerms(30_000, events = 4)), 1_000_000_000)
        sales().openForWarmUp(several.copy(sale = SaleTerms(0, events = 2)), 1_000_000_000)
        asked.map { seatsOf(it) } shouldContainExactly
            listOf(100_000, 20_000, 20_000, 20_000, 20_000) + List(4) { 50_000 } + listOf(0, 0)
    }

    @Test
    fun `acknowledged reservations are compared with the ledgers of all events`() {
        val books = listOf("7", "3", "0").joinToString("; ") {
            """echo '{"seats": 5, "taken": $it, "reservations": $it, "wishes": $it}'"""
        }
        val request = Request("POST", "/events/{event}", headers = mapOf("Idempotency-Key" to "{event}-{seq}"))
        val sales = SaleEvents(desk(), auditing(books), folder.resolve("service.log"))
        val open = sales.open(Situation("noon", "buy", request, Load.Burst(1), sale = SaleTerms(5, events = 3)))
        val audit =
            sales.audited(open, sampleOf(10.0, 1, 50.0).copy(statuses = mapOf(201 to 11))).audit.shouldNotBeNull()
        audit shouldBe SaleAudit(
            SaleLedger(5, 7, 7, 7), acknowledged = 11, listOf(SaleLedger(5, 3, 3, 3), SaleLedger(5, 0, 0, 0)),
        )
        audit.oversold shouldBe 2
        audit.lost shouldBe 1
    }

    @Test
    fun `a warm-up sells out only if there is nothing to sell`() {
        val situation =
            Situation("noon", "buy", Request(path = "/events/{event}"), Load.Burst(1), sale = SaleTerms(500))
        sales().openForWarmUp(situation, 1_500_000_000)
        sales().openForWarmUp(situation.copy(sale = SaleTerms(0)), 1_000_000_000)
        sales().openForWarmUp(situation.copy(sale = SaleTerms(3_000_000)), 1_000_000_000)
        asked.map { seatsOf(it) } shouldContainExactly listOf(200_000, 0, 3_000_000)
    }

    @Test
    fun `violations of a sale are reported`() {
        sales().violations() shouldBe emptyList()
        sold = 0
        sells = 3
        sales().violations().single().words() shouldContain "it does not report that it is sold out: 201"
        sold = 0
        sells = 1
        sales().violations().single().words() shouldContain "it does not sell the last seat: 409"
        sold = 0
        sells = 2
        val single = """{"seats": 2, "taken": 1, "reservations": 1, "wishes": 1}"""
        sales(single).violations().single().words() shouldContain
            "its ledger has 1 reservation of 1 seat instead of 2 of 2"
        server.stop(0)
        sales().violations().size shouldBe 1
    }

    @Test
    fun `the ledger is what the audit program prints`() {
        auditing("""echo '{"seats": 2, "taken": 4, "reservations": 3, "wishes": 1}'""").books(listOf(7)) shouldBe
            listOf(SaleLedger(2, 4, 3, 1))
        auditing("echo '{\"seats\": {event}, \"taken\": 0, \"reservations\": 0, \"wishes\": 0}'").books(listOf(7))
            .single().seats shouldBe 7
    }

    @Test
    fun `one audit reads the ledgers of several events, in the order of the request`() {
        val each = """echo {event} | tr , '\n' | sed 's/.*/{"seats": &, "taken": 0, "reservations": 0, "wishes": 0}/'"""
        auditing("echo a warning; $each").books(listOf(9, 7, 8)).map { it.seats } shouldBe listOf(9L, 7L, 8L)
        val one = """echo '{"seats": 7, "taken": 0, "reservations": 0, "wishes": 0}'"""
        shouldThrow<TargetFailed> { auditing(one).books(listOf(7, 8)) }.words() shouldContain
            "1 of 2 lines were read from the ledger of 2 events from 7 on"
    }

    @Test
    fun `an unreadable ledger is reported with the reason, and never taken for an empty one`() {
        fun told(command: String) = shouldThrow<TargetFailed> { auditing(command).books(listOf(7)) }.words()
        told("echo no such database >&2; exit 69").let {
            it shouldContain "the ledger of event 7 could not be read"
            it shouldContain "no such database"
        }
        told("echo '{\"seats\": 1}'") shouldContain "is invalid"
        told("echo all is well") shouldContain "is invalid"
        told("true") shouldContain "nothing was read"
    }

    private fun sales(books: String = """{"seats": 2, "taken": 2, "reservations": 2, "wishes": 2}"""): SaleEvents =
        SaleEvents(desk(), auditing("echo '$books'"), folder.resolve("service.log"))

    private fun desk() = SaleClient(URI("http://127.0.0.1:${server.address.port}"), "secret")

    private fun seatsOf(asked: String) = asked.substringAfter("capacity\": ").substringBefore(',').toInt()

    private fun auditing(command: String): SaleAuditor {
        val auditor = Auditor(listOf("/bin/sh", "-c", command), "$folder", null)
        return SaleAuditor(
            auditor, emptyMap(), Cores(emptyList(), emptyList()), folder.resolve("audit.log"), Cancellation(),
        )
    }
}

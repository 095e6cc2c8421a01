package threadgauge.run

import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Auditor
import threadgauge.model.BooksOfSale
import threadgauge.model.Load
import threadgauge.model.Request
import threadgauge.model.SaleTerms
import threadgauge.model.Situation
import threadgauge.target.Cores
import threadgauge.target.TargetFailed
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue

class SalesTest {
    @TempDir
    lateinit var folder: Path

    /** How many seats the service below sells of two, and what it was asked. */
    private var sells = 2
    private val asked = ConcurrentLinkedQueue<String>()
    private var sold = 0
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
        createContext("/") { exchange ->
            val body = exchange.requestBody.readBytes().decodeToString()
            asked += "${exchange.requestURI.path} ${exchange.requestHeaders.getFirst("Authorization")} $body"
            val isOpening = exchange.requestURI.path == "/events"
            if (isOpening) exchange.responseHeaders.add("Location", "/events/7")
            val isGranted = isOpening || sold++ < sells
            exchange.sendResponseHeaders(if (isGranted) 201 else 409, -1)
            exchange.close()
        }
        start()
    }

    @AfterEach
    fun stop() = server.stop(0)

    @Test
    fun `each load has an event of its own, and its number stands wherever the request names it`() {
        val request = Request(
            "POST", "/events/{event}/reservations", headers = mapOf("Idempotency-Key" to "{event}-{seq}"), body = "{event} {quantity}",
        )
        val open = sales().open(Situation("noon", "buy", request, Load.Burst(1), sale = SaleTerms(500)))
        open.event shouldBe 7
        open.asked.request.path shouldBe "/events/7/reservations"
        open.asked.request.headers shouldBe mapOf("Idempotency-Key" to "7-{seq}")
        open.asked.request.body shouldBe "7 {quantity}"
        asked shouldContainExactly listOf("""/events Bearer secret {"name": "noon", "capacity": 500, "holdSeconds": 21600}""")
    }

    @Test
    fun `a warm-up sells out only where there is nothing to sell`() {
        val situation = Situation("noon", "buy", Request(path = "/events/{event}"), Load.Burst(1), sale = SaleTerms(500))
        sales().openForWarmUp(situation, 1_500_000_000)
        sales().openForWarmUp(situation.copy(sale = SaleTerms(0)), 1_000_000_000)
        sales().openForWarmUp(situation.copy(sale = SaleTerms(3_000_000)), 1_000_000_000)
        asked.map { it.substringAfter("capacity\": ").substringBefore(',') } shouldContainExactly listOf("200000", "0", "3000000")
    }

    @Test
    fun `what is no sale is told`() {
        sales().violations() shouldBe emptyList()
        sold = 0
        sells = 3
        sales().violations().single() shouldContain "it does not say that nothing is left: 201"
        sold = 0
        sells = 1
        sales().violations().single() shouldContain "it does not sell the last seat: 409"
        sold = 0
        sells = 2
        sales("""{"seats": 2, "taken": 1, "reservations": 1, "wishes": 1}""").violations().single() shouldContain
            "its books hold 1 reservations of 1 seats instead of 2 of 2"
        server.stop(0)
        sales().violations().size shouldBe 1
    }

    @Test
    fun `the books are what the program says that reads them`() {
        auditing("""echo '{"seats": 2, "taken": 4, "reservations": 3, "wishes": 1}'""").books(7) shouldBe BooksOfSale(2, 4, 3, 1)
        auditing("echo '{\"seats\": {event}, \"taken\": 0, \"reservations\": 0, \"wishes\": 0}'").books(7).seats shouldBe 7
    }

    @Test
    fun `books that cannot be read are told with the reason, and never taken for empty ones`() {
        fun told(command: String) = shouldThrow<TargetFailed> { auditing(command).books(7) }.message.orEmpty()
        told("echo no such database >&2; exit 69").let {
            it shouldContain "the books of event 7 could not be read"
            it shouldContain "no such database"
        }
        told("echo '{\"seats\": 1}'") shouldContain "makes no sense"
        told("echo all is well") shouldContain "makes no sense"
        told("true") shouldContain "nothing was read"
    }

    private fun sales(books: String = """{"seats": 2, "taken": 2, "reservations": 2, "wishes": 2}"""): Sales =
        Sales(SaleDesk(URI("http://127.0.0.1:${server.address.port}"), "secret"), auditing("echo '$books'"), folder.resolve("service.log"))

    private fun auditing(command: String): Auditing {
        val auditor = Auditor(listOf("/bin/sh", "-c", command), "$folder", null)
        return Auditing(auditor, emptyMap(), Cores(emptyList(), emptyList()), folder.resolve("audit.log"), Cancellation())
    }
}

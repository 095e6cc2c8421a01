package threadgauge.tickets.faults

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean

/** A service rehearses before it is ready, with the same books as those that sell. */
@Tag("processes")
class RehearsalFaultsTest {
    @Test
    fun `seats that one service sells are none of the rehearsal of another that starts`() {
        FaultScenario().use { scenario ->
            val seller = scenario.service("batch").also { it.awaitReady() }
            val event = seller.open(CAPACITY)
            soldWhile(seller) { scenario.service("batch", REHEARSES).awaitReady() } shouldBe setOf("a seat of event $event")
        }
    }

    @Test
    fun `a service that is killed in the middle of its rehearsal leaves nothing that is listed or sold`() {
        FaultScenario().use { scenario ->
            val seller = scenario.service("batch").also { it.awaitReady() }
            val event = seller.open(CAPACITY)
            val killed = scenario.service("batch", REHEARSES)
            // Nobody else asks for seats.
            scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.DROPPED) { killed.killWithoutRestart() }.await()
            listed(seller) shouldBe setOf(event)
            soldOf(seller) shouldBe "a seat of event $event"
        }
    }

    /** Everything that the [seller] has answered to who wants a seat, while [block] went on. */
    private fun soldWhile(seller: Replica, block: () -> Unit): Set<String> {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val selling = threads.submit(Callable { generateSequence { soldOf(seller) }.takeWhile { !isOver.get() }.toSet() })
            try {
                block()
            } finally {
                isOver.set(true)
            }
            return selling.get()
        }
    }

    /** Asked for a seat of what was opened last. */
    private fun soldOf(seller: Replica): String {
        val request = HttpRequest.newBuilder(seller.url.resolve("/reservation")).header("Content-Type", "application/json")
            .header("userId", "somebody").POST(HttpRequest.BodyPublishers.ofString("""{"number": 1}"""))
        val answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString())
        return if (answer.statusCode() == CREATED) "a seat of event ${numbers("event", answer.body()).single()}" else answer.body()
    }

    private fun listed(seller: Replica): Set<Long> {
        val request = HttpRequest.newBuilder(seller.url.resolve("/events")).build()
        return numbers("id", http.send(request, HttpResponse.BodyHandlers.ofString()).body()).toSet()
    }

    private fun numbers(name: String, json: String): List<Long> =
        Regex("\"$name\":(\\d+)").findAll(json).map { it.groupValues[1].toLong() }.toList()

    private companion object {
        const val CAPACITY = 1_000_000
        const val CREATED = 201
        val REHEARSES = mapOf("tickets.rehearsal" to "2s")
    }
}

package threadgauge.tickets.faults

import io.kotest.matchers.shouldBe
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** A service rehearses before it is ready, in the ledger of the services that sell. */
@Tag("processes")
class RehearsalFaultsTest {
    @Test
    fun `a service sells no seats of another service's rehearsal`() {
        FaultScenario().use { scenario ->
            val seller = scenario.service("batch").also { it.awaitReady() }
            val event = seller.open(CAPACITY)
            val sold = soldWhile(seller) { scenario.service("batch", WITH_REHEARSAL).awaitReady() }
            sold shouldBe setOf("a seat of event $event")
        }
    }

    @Test
    fun `a service killed during its rehearsal leaves nothing that is listed or sold`() {
        FaultScenario().use { scenario ->
            val seller = scenario.service("batch").also { it.awaitReady() }
            val event = seller.open(CAPACITY)
            val killed = scenario.service("batch", WITH_REHEARSAL)
            // The grant is that of the rehearsal, since there are no other requests.
            scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.DROPPED) {
                killed.killWithoutRestart()
            }.await()
            listed(seller) shouldBe setOf(event)
            soldOf(seller) shouldBe "a seat of event $event"
        }
    }

    /** All distinct answers of the [seller] to requests for a seat while [block] runs. */
    private fun soldWhile(seller: Replica, block: () -> Unit): Set<String> {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val answers = generateSequence { soldOf(seller) }.takeWhile { !isOver.get() }
            val selling = threads.submit(Callable { answers.toSet() })
            try {
                block()
            } finally {
                isOver.set(true)
            }
            return selling.get()
        }
    }

    /** The answer to a request for a seat of the event opened last. */
    private fun soldOf(seller: Replica): String {
        val request = HttpRequest.newBuilder(seller.url.resolve("/reservation"))
            .header("Content-Type", "application/json").header("userId", "user")
            .POST(HttpRequest.BodyPublishers.ofString("""{"number": 1}"""))
        val answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString())
        if (answer.statusCode() != CREATED) return answer.body()
        return "a seat of event ${numbers("event", answer.body()).single()}"
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
        val WITH_REHEARSAL = mapOf("tickets.rehearsal" to "2s")
    }
}

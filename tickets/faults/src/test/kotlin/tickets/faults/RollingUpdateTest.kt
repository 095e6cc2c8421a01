package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.IOException
import java.net.http.HttpResponse
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** A new version is rolled out during a sale. */
@Tag("processes")
class RollingUpdateTest {
    @Test
    fun `during a rolling update every granted request is answered`() {
        FaultScenario().use { scenario ->
            // Nobody is told that an outcome is unknown because the machine has other things to do.
            val services = List(2) { scenario.service("batch", mapOf("tickets.queue.timeout" to "1m")) }
            services.forEach { it.awaitReady() }
            val event = services.first().open(CAPACITY)
            val told = request(services, event) {
                services.forEach {
                    Thread.sleep(BETWEEN_MILLIS)
                    it.restartGracefully()
                    it.awaitReady()
                }
            }
            val granted = told.filterValues { it == GRANTED }.keys
            granted.size shouldBeGreaterThan CLIENTS
            val inLedger = scenario.database.entries(event).map { it.key.text }.toSet()
            withClue("granted without an answer") {
                (inLedger - granted).associateWith { told[it] }.entries.shouldBeEmpty()
            }
            withClue("answered without a grant") { (granted - inLedger).shouldBeEmpty() }
        }
    }

    /** What each request during [meanwhile] came to, by its key. Clients do not retry. */
    private fun request(services: List<Replica>, event: Long, meanwhile: () -> Unit): Map<String, String> {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val clients = List(CLIENTS) { number ->
                val keys = generateSequence(0) { it + 1 }.takeWhile { !isOver.get() }
                    .map { "client-$number-request-$it" }
                threads.submit(Callable { keys.map { it to outcome(services[number % 2], event, it) }.toList() })
            }
            try {
                meanwhile()
            } finally {
                isOver.set(true)
            }
            return clients.flatMap { it.get() }.toMap()
        }
    }

    /** In words, if it was not granted: there is no answer while a service is down. */
    private fun outcome(service: Replica, event: Long, key: String): String {
        val request = reserveRequest(service.url, event, key, seats = 1).build()
        return try {
            val answer = http.send(request, HttpResponse.BodyHandlers.ofString())
            if (answer.statusCode() == CREATED) GRANTED else "${answer.statusCode()}: ${answer.body()}"
        } catch (failed: IOException) {
            Thread.sleep(PAUSE_MILLIS)
            "no answer: $failed"
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val CLIENTS = 32
        const val BETWEEN_MILLIS = 1_000L
        const val PAUSE_MILLIS = 20L
        const val CREATED = 201
        const val GRANTED = "granted"
    }
}

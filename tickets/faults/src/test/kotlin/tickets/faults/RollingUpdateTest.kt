package threadgauge.tickets.faults

import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
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
            val services = List(2) { scenario.service("batch") }
            services.forEach { it.awaitReady() }
            val event = services.first().open(CAPACITY)
            val answered = countGranted(services, event) {
                services.forEach {
                    Thread.sleep(BETWEEN_MILLIS)
                    it.restartGracefully()
                    it.awaitReady()
                }
            }
            answered shouldBeGreaterThan CLIENTS
            scenario.database.entries(event).size shouldBe answered
        }
    }

    /** Number of requests answered with seats during [meanwhile]. Clients do not retry. */
    private fun countGranted(services: List<Replica>, event: Long, meanwhile: () -> Unit): Int {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val clients = List(CLIENTS) { number ->
                val requests = generateSequence(0) { it + 1 }.takeWhile { !isOver.get() }
                val service = services[number % 2]
                threads.submit(Callable { requests.count { isGranted(service, event, "client-$number-request-$it") } })
            }
            try {
                meanwhile()
            } finally {
                isOver.set(true)
            }
            return clients.sumOf { it.get() }
        }
    }

    /** Also false if there is no answer, because the service is down. */
    private fun isGranted(service: Replica, event: Long, key: String): Boolean {
        val request = reserveRequest(service.url, event, key, seats = 1).build()
        return try {
            http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 201
        } catch (_: IOException) {
            Thread.sleep(PAUSE_MILLIS)
            false
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val CLIENTS = 32
        const val BETWEEN_MILLIS = 1_000L
        const val PAUSE_MILLIS = 20L
    }
}

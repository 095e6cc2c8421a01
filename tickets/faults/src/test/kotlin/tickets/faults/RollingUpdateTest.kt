package threadgauge.tickets.faults

import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.io.IOException
import java.net.http.HttpResponse
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicBoolean

/** A new version is rolled out in the middle of a sale. */
@Tag("processes")
class RollingUpdateTest {
    @Test
    fun `services that are ended and started anew one after the other tell everybody whom they grant seats`() {
        FaultScenario().use { scenario ->
            val services = List(2) { scenario.service("batch") }
            services.forEach { it.awaitReady() }
            val event = services.first().open(CAPACITY)
            val heard = selling(services, event) {
                services.forEach {
                    Thread.sleep(BETWEEN_MILLIS)
                    it.restartGracefully()
                    it.awaitReady()
                }
            }
            heard shouldBeGreaterThan CLIENTS
            scenario.database.entries(event).size shouldBe heard
        }
    }

    /** How many were told that they have seats, while [meanwhile] went on. Nobody asks twice for the same wish. */
    private fun selling(services: List<Replica>, event: Long, meanwhile: () -> Unit): Int {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val clients = List(CLIENTS) { number ->
                val wishes = generateSequence(0) { it + 1 }.takeWhile { !isOver.get() }
                threads.submit(Callable { wishes.count { asked(services[number % 2], event, "caller-$number-wish-$it") } })
            }
            try {
                meanwhile()
            } finally {
                isOver.set(true)
            }
            return clients.sumOf { it.get() }
        }
    }

    /** False also for those whom nobody answered, because the service was not there. */
    private fun asked(service: Replica, event: Long, key: String): Boolean {
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

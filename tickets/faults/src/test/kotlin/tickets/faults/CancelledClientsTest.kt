package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.io.IOException
import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey

/** Very many clients cancel their requests, as when users reload a page that does not load. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CancelledClientsTest {
    private val scenario = FaultScenario()
    private val services = listOf("batch", "sql-row", "skip-locked", "redis-lua", "redis-lock", "queue")
        .associateWith { scenario.service(it, mapOf("tickets.queue.max" to "$CLIENTS")) }

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a storm of cancelled requests leaks no permit and breaks no promise`(): List<DynamicTest> =
        services.map { (strategy, service) ->
            dynamicTest(strategy) {
                service.awaitReady()
                Executors.newVirtualThreadPerTaskExecutor().use { sell(service, it) }
            }
        }

    private fun sell(service: Replica, threads: ExecutorService) {
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
        val event = crowd.event
        val clients = crowd.clients
        val first = clients.first().reserveOnce(IdempotencyKey.of("$event-first")!!) as ReserveResult.Granted
        val paths = listOf("/events/$event", "/reservations/${first.reservation}", "/events")
        threads.together(clients) { number, client -> storm(client, "$event-$number", service.url, paths) }
        val results = clients.flatMap { it.calls }.map { (it as Call.Reserve).result }
        results.count { it == ReserveResult.Unknown } shouldBeGreaterThan CLIENTS
        crowd.check()
        // The last of the storm may still be on its way through a busy machine; what leaked would stay.
        await("an empty queue of ${service.url}") { Unit.takeIf { waiting(service.url) == 0.0 } }

        // As many concurrent requests as the queue allows. If the storm had leaked a permit, one would be rejected.
        val last = scenario.database.locking(event) {
            clients.mapIndexed { number, client ->
                val key = IdempotencyKey.of("$event-last-$number")!!
                threads.submit(Callable { client.reserveOnce(key) })
            }.also { Thread.sleep(LOCKED_MILLIS) }
        }
        val answers = last.map { it.get() }
        withClue("of as many requests as may wait") {
            answers.filterNot { it is ReserveResult.Granted }.shouldBeEmpty()
        }
        val granted = answers.map { (it as ReserveResult.Granted).reservation }
        val statuses = threads.together(granted) { _, reservation -> get(service.url, "/reservations/$reservation") }
        withClue("of as many reads as may wait") { statuses.filterNot { it == OK }.shouldBeEmpty() }
        crowd.check()
    }

    private fun storm(client: TicketClient, name: String, url: URI, paths: List<String>) {
        val random = Random(name.hashCode().toLong())
        repeat(CANCELLED_REQUESTS) {
            client.reserveAndLeave(IdempotencyKey.of("$name-$it")!!, 1 + random.nextLong(MAX_MILLIS))
            get(url, paths[it % paths.size], Duration.ofMillis(1 + random.nextLong(MAX_MILLIS)))
        }
    }

    /** Number of requests that wait in the service. */
    private fun waiting(url: URI): Double {
        val metrics = http.send(HttpRequest.newBuilder(url.resolve("/metrics")).build(), BodyHandlers.ofString()).body()
        return metrics.lines().single { it.startsWith("tickets_queue{") }.substringAfterLast(' ').toDouble()
    }

    /** The status; null if there was none within [timeout]. */
    private fun get(url: URI, path: String, timeout: Duration = Duration.ofSeconds(15)): Int? = try {
        val request = HttpRequest.newBuilder(url.resolve(path)).timeout(timeout).build()
        http.send(request, BodyHandlers.discarding()).statusCode()
    } catch (_: IOException) {
        null
    }

    private fun <A, B> ExecutorService.together(all: List<A>, work: (Int, A) -> B): List<B> =
        all.mapIndexed { number, one -> submit(Callable { work(number, one) }) }.map { it.get() }

    private companion object {
        const val CAPACITY = 10_000
        const val CLIENTS = 40
        const val CANCELLED_REQUESTS = 30
        const val MAX_MILLIS = 5L
        const val LOCKED_MILLIS = 1_000L
        const val OK = 200
    }
}

package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import java.io.IOException
import java.net.URI
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/** Callers go away while they are being answered, very many of them, as those do who load a page again and again that does not come. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CancelledClientsTest {
    private val scenario = FaultScenario()
    private val services = listOf("batch", "sql-row", "skip-locked", "redis-lua", "redis-lock", "queue")
        .associateWith { scenario.service(it, mapOf("tickets.queue.most" to "$CLIENTS")) }

    @AfterAll
    fun stop() = scenario.close()

    @TestFactory
    fun `a storm of callers who go away takes no turn with it, and breaks no promise`(): List<DynamicTest> =
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
        clients.flatMap { it.calls }.count { (it as Call.Reserve).result == ReserveResult.Unknown } shouldBeGreaterThan CLIENTS
        crowd.judge()

        // As many as may wait, all at a time: had the storm kept a turn, one of them would be too many.
        val last = scenario.database.locking(event) {
            clients.mapIndexed { number, client -> threads.submit(Callable { client.reserveOnce(IdempotencyKey.of("$event-last-$number")!!) }) }
                .also { Thread.sleep(LOCKED_MILLIS) }
        }
        val answers = last.map { it.get() }
        withClue("of as many as may wait") { answers.filterNot { it is ReserveResult.Granted }.shouldBeEmpty() }
        val granted = answers.map { (it as ReserveResult.Granted).reservation }
        val looked = threads.together(granted) { _, reservation -> look(service.url, "/reservations/$reservation") }
        withClue("of as many as may look") { looked.filterNot { it == OK }.shouldBeEmpty() }
        crowd.judge()
    }

    private fun storm(client: TicketClient, name: String, url: URI, paths: List<String>) {
        val random = Random(name.hashCode().toLong())
        repeat(HURRIES) {
            client.reserveAndLeave(IdempotencyKey.of("$name-$it")!!, 1 + random.nextLong(HURRY_MILLIS))
            look(url, paths[it % paths.size], Duration.ofMillis(1 + random.nextLong(HURRY_MILLIS)))
        }
    }

    /** The status; null where none came within [patience]. */
    private fun look(url: URI, path: String, patience: Duration = Duration.ofSeconds(15)): Int? = try {
        val request = HttpRequest.newBuilder(url.resolve(path)).timeout(patience).build()
        http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()
    } catch (_: IOException) {
        null
    }

    private fun <A, B> ExecutorService.together(all: List<A>, work: (Int, A) -> B): List<B> =
        all.mapIndexed { number, one -> submit(Callable { work(number, one) }) }.map { it.get() }

    private companion object {
        const val CAPACITY = 10_000
        const val CLIENTS = 40
        const val HURRIES = 30
        const val HURRY_MILLIS = 5L
        const val LOCKED_MILLIS = 1_000L
        const val OK = 200
    }
}

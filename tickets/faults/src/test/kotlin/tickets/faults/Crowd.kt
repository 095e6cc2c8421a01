package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.net.URI
import java.util.Random
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.atomic.AtomicBoolean
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey

/**
 * [size] clients of one event, which the [service] opens. Each has its own thread, sends its requests to [url], and
 * retries a request whose outcome is unknown up to [maxAttempts] times.
 */
internal class Crowd(
    private val scenario: FaultScenario,
    service: Replica,
    private val capacity: Int,
    size: Int,
    url: URI = service.url,
    maxAttempts: Int = TicketClient.MAX_ATTEMPTS,
) {
    val event = service.open(capacity)
    val clients = List(size) { TicketClient(listOf(url), event, Random(it.toLong()), maxAttempts) }

    /** Each client sends one request for one seat, while [meanwhile] runs. Returns when both have ended. */
    fun reserveOnce(meanwhile: () -> Unit) = withThreads { threads ->
        val requests = clients.mapIndexed { number, client -> threads.submit { client.reserveOnce(key(number, 0)) } }
        meanwhile()
        requests.forEach { it.get() }
    }

    /** Checks that every request gets an answer without faults, and that no promise is broken. */
    fun check() {
        withThreads { threads -> clients.map { threads.submit { it.retryUnresolved() } }.forEach { it.get() } }
        clients.flatMap { it.unresolved.keys }.shouldBeEmpty()
        scenario.broken(event, capacity, clients).shouldBeEmpty()
    }

    /**
     * Sells the remaining seats, since some requests may have been rejected. Checks that exactly the capacity is sold.
     */
    fun sellOut() {
        val last = clients.first()
        var request = 1
        await("the last seat of event $event") {
            Unit.takeIf { last.reserveOnce(key(0, request++)) == ReserveResult.SoldOut }
        }
        check()
        scenario.database.entries(event).sumOf { it.seats } shouldBe capacity
    }

    fun key(client: Int, request: Int): IdempotencyKey =
        IdempotencyKey.of("$event-client-$client-request-$request")!!

    private fun start(
        threads: ExecutorService,
        isOver: AtomicBoolean,
        send: TicketClient.(IdempotencyKey) -> Unit,
    ): List<Future<*>> = clients.mapIndexed { number, client ->
        threads.submit {
            var request = 0
            while (!isOver.get()) {
                client.send(key(number, request++))
                Thread.sleep(PAUSE_MILLIS)
            }
        }
    }

    companion object {
        /** Between two requests of a client. Without it, a crowd takes both cores from what was killed and restarts. */
        private const val PAUSE_MILLIS = 5L

        /** Each client of these crowds sends one request after the other with [send], while [block] runs. */
        fun List<Crowd>.underLoad(send: TicketClient.(IdempotencyKey) -> Unit, block: () -> Unit) =
            withThreads { threads ->
                val isOver = AtomicBoolean()
                val requests = flatMap { it.start(threads, isOver, send) }
                try {
                    block()
                } finally {
                    isOver.set(true)
                }
                requests.forEach { it.get() }
            }

        private fun withThreads(block: (ExecutorService) -> Unit) =
            Executors.newVirtualThreadPerTaskExecutor().use(block)
    }
}

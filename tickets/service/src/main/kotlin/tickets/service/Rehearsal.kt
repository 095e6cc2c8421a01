package threadgauge.tickets.service

import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory
import org.springframework.boot.ApplicationArguments
import org.springframework.boot.ApplicationRunner
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import org.springframework.stereotype.Component
import threadgauge.tickets.sale.Desk
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * A sale of its own, through the service's own port, before the service calls itself ready: the first thousand of the real sale must not
 * be served by code that has never run. Half of the rehearsal is granted and half is told that there are too few seats. It leaves nothing
 * in the books. The service is not ready before it is over, because Spring waits for runners.
 */
@Component
class Rehearsal(
    private val context: ReactiveWebServerApplicationContext,
    private val desk: Desk,
    private val settings: Settings,
    private val metrics: SaleMetrics,
) : ApplicationRunner {
    override fun run(arguments: ApplicationArguments) {
        val budget = settings.rehearsal.toKotlinDuration()
        if (!budget.isPositive()) return
        val began = TimeSource.Monotonic.markNow()
        val event = runBlocking { desk.open("rehearsal", SEATS, 1.minutes) }
        val sent = AtomicLong()
        try {
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().use { client ->
                val room = Semaphore(CALLERS)
                while (began.elapsedNow() < budget && sent.get() < 2L * SEATS) {
                    room.acquire()
                    ask(client, event.number, sent.incrementAndGet()).whenComplete { _, _ -> room.release() }
                }
                room.acquire(CALLERS)
            }
        } finally {
            runBlocking { desk.forget(event) }
            metrics.beginAnew()
        }
        LOG.info("rehearsed with {} requests in {}", sent.get(), began.elapsedNow())
    }

    private fun ask(client: HttpClient, event: Long, number: Long): CompletableFuture<HttpResponse<Void>> {
        val port = context.webServer!!.port
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port/events/$event/reservations"))
            .header("Content-Type", "application/json").header("Idempotency-Key", "rehearsal-$event-$number")
            .POST(HttpRequest.BodyPublishers.ofString("""{"quantity":1}""")).build()
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
    }

    private companion object {
        const val SEATS = 20_000
        const val CALLERS = 64
        val LOG = LoggerFactory.getLogger(Rehearsal::class.java)!!
    }
}

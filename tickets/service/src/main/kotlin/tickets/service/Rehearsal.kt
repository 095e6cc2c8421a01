package threadgauge.tickets.service

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory
import org.springframework.boot.ApplicationArguments
import org.springframework.boot.ApplicationRunner
import org.springframework.context.event.ContextClosedEvent
import org.springframework.context.event.EventListener
import org.springframework.stereotype.Component
import threadgauge.tickets.service.http.RehearsalAccess
import threadgauge.tickets.service.store.SqlLedger

/**
 * Warms the service up before it is ready: it sells an event of its own to itself, through its own port. So the first
 * requests of the real sale are not served by cold code. Half of the requests are granted, the other half get "too few
 * seats".
 *
 * No other client can reach or list the event, and its reservations are removed at the end. If a service is killed
 * meanwhile, the next one to start removes what it left.
 *
 * The service is not ready before a rehearsal succeeds, because Spring waits for runners.
 */
@Component
class Rehearsal(
    private val store: SqlLedger,
    private val settings: Settings,
    private val metrics: SaleMetrics,
    private val access: RehearsalAccess,
    private val client: RehearsalClient,
) : ApplicationRunner {
    private val isEnding = CountDownLatch(1)

    override fun run(arguments: ApplicationArguments) {
        val budget = settings.rehearsal.toKotlinDuration()
        if (!budget.isPositive()) return
        while (isEnding.count > 0) {
            try {
                return rehearse(budget)
            } catch (failed: Exception) {
                LOG.warn("the rehearsal failed; not ready until one succeeds. {} {}", HINT, failed.message)
            }
            isEnding.await(PAUSE_SECONDS, TimeUnit.SECONDS)
        }
    }

    /** Stops sending requests when the service shuts down. */
    @EventListener(ContextClosedEvent::class)
    fun end() = isEnding.countDown()

    private fun rehearse(budget: Duration) {
        val began = TimeSource.Monotonic.markNow()
        val event = runBlocking {
            val removed = store.endOldRehearsals(MAX_DURATION * 2)
            if (removed > 0) LOG.info("removed {} rehearsals that other services did not end", removed)
            store.openRehearsal(SEATS, hold = MAX_DURATION * 2)
        }
        // Without the time to open the event: with one row per seat that alone may take longer than a short budget.
        val opened = TimeSource.Monotonic.markNow()
        val result = try {
            client.sellAll("$event", access.open(event), maxRequests = 2 * SEATS) {
                opened.elapsedNow() < budget && isEnding.count > 0
            }
        } finally {
            access.close()
            runBlocking { store.endRehearsal(event) }
            metrics.reset()
        }
        if (isEnding.count > 0) {
            result.requireSuccess()
            LOG.info("rehearsed with {} requests in {}", result.answered, began.elapsedNow())
        }
    }

    internal companion object {
        /** Upper limit of the setting. */
        val MAX_DURATION = 5.minutes
        private const val SEATS = 20_000
        private const val PAUSE_SECONDS = 1L
        private const val HINT = "To start without one, set tickets.rehearsal to 0s."
        private val LOG = LoggerFactory.getLogger(Rehearsal::class.java)!!
    }
}

package threadgauge.tickets.service

import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory
import org.springframework.boot.ApplicationArguments
import org.springframework.boot.ApplicationRunner
import org.springframework.context.event.ContextClosedEvent
import org.springframework.context.event.EventListener
import org.springframework.stereotype.Component
import threadgauge.tickets.service.http.RehearsalAccess
import threadgauge.tickets.service.store.SqlLedger
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource
import kotlin.time.toKotlinDuration

/**
 * A sale of its own, through the service's own port, before the service calls itself ready: the first thousand of the real sale must not
 * be served by code that has never run. Half of the rehearsal is granted and half is told that there are too few seats. Its event is one to
 * nobody else, and it leaves no reservation in the books; what a service leaves that is killed meanwhile, the next one to start removes.
 *
 * The service is not ready before a rehearsal has gone well, because Spring waits for runners: one that cannot serve itself serves nobody.
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
                LOG.warn("the rehearsal failed; this service is not ready before one goes well. {} {}", REMEDY, failed.message)
            }
            isEnding.await(PAUSE_SECONDS, TimeUnit.SECONDS)
        }
    }

    /** No more callers are sent to a service that takes no more requests. */
    @EventListener(ContextClosedEvent::class)
    fun end() = isEnding.countDown()

    private fun rehearse(budget: Duration) {
        val began = TimeSource.Monotonic.markNow()
        val event = runBlocking {
            val left = store.endOldRehearsals(MAX_DURATION * 2)
            if (left > 0) LOG.info("{} rehearsals were removed that other services had not ended", left)
            store.openRehearsal(SEATS, hold = MAX_DURATION * 2)
        }
        val result = try {
            client.sellAll("$event", access.open(event), maxRequests = 2 * SEATS) { began.elapsedNow() < budget && isEnding.count > 0 }
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
        /** More than a rehearsal may be told to take. */
        val MAX_DURATION = 5.minutes
        private const val SEATS = 20_000
        private const val PAUSE_SECONDS = 1L
        private const val REMEDY = "To do without one, set tickets.rehearsal to 0s."
        private val LOG = LoggerFactory.getLogger(Rehearsal::class.java)!!
    }
}

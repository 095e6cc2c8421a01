package threadgauge.tickets.service

import io.micrometer.core.instrument.Counter
import io.micrometer.core.instrument.DistributionSummary
import io.micrometer.core.instrument.Meter
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Timer
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Component
import threadgauge.tickets.sale.StrategyListener
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/** What the sale does, as numbers for whoever watches over it; each is told with the name of the strategy. Any thread may tell. */
@Component
class SaleMetrics(private val registry: MeterRegistry, settings: Settings) : StrategyListener {
    private val strategy = settings.strategy
    private val lastFailureLog = AtomicLong()

    /** Replaced once, by [reset]. */
    @Volatile
    private var meters = Meters()

    /** Forgets everything that was counted so far: a rehearsal is no sale. */
    fun reset() {
        meters.all.forEach { registry.remove(it) }
        meters = Meters()
    }

    private inner class Meters {
        /** How long callers waited, by what they were told. */
        val answers: Map<String, Timer> = listOf("granted", "too-few", "key-taken", "no-event", "busy", "unknown").associateWith {
            timer("tickets.reserve", "From asking for seats to the answer").tag("answer", it).register(registry)
        }
        val commits: Timer = timer("tickets.commit", "One batch in the books, until it is durable").register(registry)
        val reads: Timer =
            timer("tickets.look", "One look into the books for those who may have come too late").register(registry)
        val sizes: DistributionSummary = DistributionSummary.builder("tickets.batch").description("Asks in one batch")
            .tags("strategy", strategy).publishPercentiles(MEDIAN, P99).register(registry)
        val failures: Counter = Counter.builder("tickets.failures").description("Tries at which the books failed")
            .tags("strategy", strategy).register(registry)
        val all: List<Meter> = answers.values + commits + reads + sizes + failures

        private fun timer(name: String, what: String) =
            Timer.builder(name).description(what).tags("strategy", strategy).publishPercentiles(MEDIAN, P99)
    }

    /** Times what [reserve] takes and counts what it answers. */
    suspend fun timed(reserve: suspend () -> Answer): Answer {
        val began = TimeSource.Monotonic.markNow()
        return reserve().also { meters.answers.getValue(nameOf(it)).record(began.elapsedNow().toJavaDuration()) }
    }

    /** So many were told so since the start, and how long the slowest of a hundred of them lately waited, in milliseconds. */
    fun statsOf(answer: String): Pair<Long, Double> {
        val snapshot = meters.answers.getValue(answer).takeSnapshot()
        val slow = snapshot.percentileValues().firstOrNull { it.percentile() == P99 }?.value() ?: 0.0
        return snapshot.count() to slow / 1e6
    }

    override fun granted(event: EventId, size: Int, took: Duration) {
        meters.commits.record(took.toJavaDuration())
        meters.sizes.record(size.toDouble())
    }

    override fun read(event: EventId, size: Int, took: Duration) = meters.reads.record(took.toJavaDuration())

    override fun failed(event: EventId, reason: Exception) {
        meters.failures.increment()
        logFailure("the books failed for event $event; it is tried again", reason)
    }

    override fun queueFailed(reason: Exception) = logFailure("the queue failed; it is tried again", reason)

    /** One line in ten seconds says as much as one for every try. */
    private fun logFailure(words: String, reason: Exception) {
        val now = System.nanoTime()
        val last = lastFailureLog.get()
        if ((last == 0L || now - last > LOG_INTERVAL_NANOS) && lastFailureLog.compareAndSet(last, now)) {
            LOG.warn(words, reason)
        }
    }

    private fun nameOf(answer: Answer) = when (answer) {
        is Answer.Granted -> "granted"
        is Answer.TooFewSeats -> "too-few"
        Answer.KeyTaken -> "key-taken"
        Answer.NoSuchEvent -> "no-event"
        is Answer.Busy -> "busy"
        Answer.Unknown -> "unknown"
    }

    private companion object {
        const val MEDIAN = 0.5
        const val P99 = 0.99
        const val LOG_INTERVAL_NANOS = 10_000_000_000L
        val LOG = LoggerFactory.getLogger(SaleMetrics::class.java)!!
    }
}

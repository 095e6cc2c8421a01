package threadgauge.tickets.service

import io.micrometer.core.instrument.Counter
import io.micrometer.core.instrument.DistributionSummary
import io.micrometer.core.instrument.Meter
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Timer
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Component
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.StrategyListener

/** Metrics of the sale, each tagged with the name of the strategy. Thread-safe. */
@Component
class SaleMetrics(private val registry: MeterRegistry, settings: Settings) : StrategyListener {
    private val strategy = settings.strategy
    private val lastFailureLog = AtomicLong()

    /** Replaced once, by [reset]. */
    @Volatile
    private var meters = Meters()

    /** Discards all counts so far, because a rehearsal is not a sale. */
    fun reset() {
        meters.all.forEach { registry.remove(it) }
        meters = Meters()
    }

    private inner class Meters {
        /** Response times by answer. */
        val answers: Map<String, Timer> =
            listOf("granted", "too-few", "key-taken", "no-event", "busy", "unknown").associateWith {
                timer("tickets.reserve", "From a request for seats to its answer").tag("answer", it).register(registry)
            }
        val commits: Timer = timer("tickets.commit", "One batch in the ledger, until it is durable").register(registry)
        val reads: Timer =
            timer("tickets.look", "One read of the ledger for requests that may have come too late").register(registry)
        val sizes: DistributionSummary =
            DistributionSummary.builder("tickets.batch").description("Requests in one batch")
                .tags("strategy", strategy).publishPercentiles(MEDIAN, P99).register(registry)
        val failures: Counter = Counter.builder("tickets.failures").description("Attempts at which the ledger failed")
            .tags("strategy", strategy).register(registry)
        val all: List<Meter> = answers.values + commits + reads + sizes + failures

        private fun timer(name: String, description: String) =
            Timer.builder(name).description(description).tags("strategy", strategy).publishPercentiles(MEDIAN, P99)
    }

    /** Records the time that [reserve] takes, and its answer. */
    suspend fun timed(reserve: suspend () -> Answer): Answer {
        val began = TimeSource.Monotonic.markNow()
        return reserve().also { meters.answers.getValue(nameOf(it)).record(began.elapsedNow().toJavaDuration()) }
    }

    /** How often [answer] was given since the start, and the recent p99 of its response time in milliseconds. */
    fun statsOf(answer: String): Pair<Long, Double> {
        val snapshot = meters.answers.getValue(answer).takeSnapshot()
        val p99Nanos = snapshot.percentileValues().firstOrNull { it.percentile() == P99 }?.value() ?: 0.0
        return snapshot.count() to p99Nanos / 1e6
    }

    override fun granted(event: EventId, size: Int, took: Duration) {
        meters.commits.record(took.toJavaDuration())
        meters.sizes.record(size.toDouble())
    }

    override fun read(event: EventId, size: Int, took: Duration) = meters.reads.record(took.toJavaDuration())

    override fun failed(event: EventId, reason: Exception) {
        meters.failures.increment()
        logFailure("the ledger failed for event $event; retrying", reason)
    }

    override fun queueFailed(reason: Exception) = logFailure("the shared queue failed; retrying", reason)

    /** At most one line every ten seconds, since each retry would repeat it. */
    private fun logFailure(message: String, reason: Exception) {
        val now = System.nanoTime()
        val last = lastFailureLog.get()
        if ((last == 0L || now - last > LOG_INTERVAL_NANOS) && lastFailureLog.compareAndSet(last, now)) {
            LOG.warn(message, reason)
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

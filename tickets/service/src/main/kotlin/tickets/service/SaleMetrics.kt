package threadgauge.tickets.service

import io.micrometer.core.instrument.DistributionSummary
import io.micrometer.core.instrument.Gauge
import io.micrometer.core.instrument.MeterRegistry
import io.micrometer.core.instrument.Timer
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Component
import threadgauge.tickets.batch.BatchWatcher
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/** What the sale does, as numbers for whoever watches over it; each is told with the name of the strategy. Any thread may tell. */
@Component
class SaleMetrics(private val registry: MeterRegistry, settings: Settings) : BatchWatcher {
    private val strategy = settings.strategy
    private val waiting = AtomicInteger()
    private val lastComplaint = AtomicLong()

    /** How long callers waited, by what they were told. */
    private val answers: Map<String, Timer> = listOf("granted", "too-few", "key-taken", "no-event", "busy", "unknown").associateWith {
        Timer.builder("tickets.reserve").description("From asking for seats to the answer").tags("strategy", strategy, "answer", it)
            .publishPercentiles(MIDDLE, NEARLY_ALL).register(registry)
    }
    private val commits = Timer.builder("tickets.commit").description("One batch in the books, until it is durable")
        .tags("strategy", strategy).publishPercentiles(MIDDLE, NEARLY_ALL).register(registry)
    private val looks = Timer.builder("tickets.look").description("One look into the books for those who may have come too late")
        .tags("strategy", strategy).register(registry)
    private val sizes = DistributionSummary.builder("tickets.batch").description("Asks in one batch")
        .tags("strategy", strategy).publishPercentiles(MIDDLE, NEARLY_ALL).register(registry)
    private val failures = registry.counter("tickets.failures", "strategy", strategy)

    init {
        Gauge.builder("tickets.queue", waiting::get).description("Asks that waited when the last batch was done")
            .tags("strategy", strategy).register(registry)
    }

    /** Times what [reserve] takes and counts what it answers. */
    suspend fun timed(reserve: suspend () -> Answer): Answer {
        val began = TimeSource.Monotonic.markNow()
        return reserve().also { answers.getValue(nameOf(it)).record(began.elapsedNow().toJavaDuration()) }
    }

    /** So many were told so since the start, and how long the slowest of a hundred of them lately waited, in milliseconds. */
    fun told(answer: String): Pair<Long, Double> {
        val snapshot = answers.getValue(answer).takeSnapshot()
        val slow = snapshot.percentileValues().firstOrNull { it.percentile() == NEARLY_ALL }?.value() ?: 0.0
        return snapshot.count() to slow / 1e6
    }

    override fun granted(event: EventId, size: Int, took: Duration, waiting: Int) {
        commits.record(took.toJavaDuration())
        sizes.record(size.toDouble())
        this.waiting.set(waiting)
    }

    override fun looked(event: EventId, size: Int, took: Duration) = looks.record(took.toJavaDuration())

    /** One line in ten seconds says as much as one for every try. */
    override fun failed(event: EventId, reason: Exception) {
        failures.increment()
        val now = System.nanoTime()
        val last = lastComplaint.get()
        if ((last == 0L || now - last > COMPLAIN_EVERY_NANOS) && lastComplaint.compareAndSet(last, now)) {
            LOG.warn("the books failed for event {}; it is tried again", event, reason)
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
        const val MIDDLE = 0.5
        const val NEARLY_ALL = 0.99
        const val COMPLAIN_EVERY_NANOS = 10_000_000_000L
        val LOG = LoggerFactory.getLogger(SaleMetrics::class.java)!!
    }
}

package threadgauge.tickets.sale

import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation

/**
 * Adds limits and timeouts to a [service], so that any number of callers may use it. A bulkhead limits how many calls
 * run and how many wait.
 *
 * Fails with [EventServiceBusy] if the queue is full or a call waited in it for longer than
 * [EventServiceSettings.timeout]: nothing was done. Fails with [EventServiceTimeout] if a call ran for longer than
 * that: its outcome is unknown. So no call takes longer than twice the timeout.
 *
 * Reads and writes have separate bulkheads, so reads never delay a confirmation. Concurrent reads of the same event
 * share one query. Calls run in [scope] and go on there after their caller is cancelled.
 */
class BoundedEventService(
    private val service: EventService,
    private val scope: CoroutineScope,
    private val settings: EventServiceSettings = EventServiceSettings(),
) : EventService {
    private val reads = Bulkhead(settings.maxConcurrent, settings.maxQueued, settings.timeout)
    private val writes = Bulkhead(settings.maxConcurrent, settings.maxQueued, settings.timeout)
    private val events = SingleFlight { id: EventId -> bounded(reads) { service.event(id) } }
    private val newest = SingleFlight { limit: Int -> bounded(reads) { service.newest(limit) } }

    override suspend fun open(name: String, capacity: Int, hold: Duration) =
        bounded(writes) { service.open(name, capacity, hold) }

    override suspend fun newest(limit: Int): List<Event> = shared { newest.get(limit) }

    override suspend fun event(id: EventId): Event? = shared { events.get(id) }

    override suspend fun exists(id: EventId): Boolean = bounded(reads) { service.exists(id) }

    override suspend fun reservation(id: UUID): Reservation? = bounded(reads) { service.reservation(id) }

    override suspend fun confirm(id: UUID): Ending? = bounded(writes) { service.confirm(id) }

    override suspend fun release(id: UUID): Ending? = bounded(writes) { service.release(id) }

    private suspend fun <T> bounded(bulkhead: Bulkhead, call: suspend () -> T): T {
        if (!bulkhead.tryAcquire()) throw EventServiceBusy(settings.retryAfter)
        // Not cancelled with the caller: the call holds a connection, and keeps its permit until it ends.
        val done = scope.async { Done(call()) }
        done.invokeOnCompletion { bulkhead.release() }
        return (withTimeoutOrNull(settings.timeout) { done.await() } ?: throw EventServiceTimeout()).value
    }

    /**
     * A caller may wait for the query of another and then for its own; together they take twice the timeout at most.
     */
    private suspend fun <T> shared(read: suspend () -> T): T =
        (withTimeoutOrNull(settings.timeout * 2) { Done(read()) } ?: throw EventServiceTimeout()).value

    private class Done<T>(val value: T)
}

/** Limits of a [BoundedEventService]. */
data class EventServiceSettings(
    /** Concurrent reads, and as many concurrent writes. More than the connections to the ledger gain nothing. */
    val maxConcurrent: Int = 2,
    /** Reads that may wait for a permit, and as many writes. */
    val maxQueued: Int = 10_000,
    /** Maximum time in the queue, and maximum time of the call itself. */
    val timeout: Duration = 5.seconds,
    /** Sent to clients that are rejected. */
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(maxConcurrent > 0 && maxQueued >= 0) { "maxConcurrent must be positive, maxQueued not negative: $this" }
    }
}

/** The queue is full and nothing was done; retry after [retryAfter]. */
class EventServiceBusy(val retryAfter: Duration) :
    RuntimeException("too many calls wait for the event service", null, false, false)

/** The ledger did not answer in time, so the outcome is unknown. */
class EventServiceTimeout : RuntimeException("the ledger did not answer in time", null, false, false)

package threadgauge.tickets.sale

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * A [service] that any number of callers may come to: so many are served at a time, more wait, and who is too many is told so with [EventServiceBusy].
 * Who waits for longer than [EventServiceSettings.timeout] for his turn gets that as well; who waits for longer when his turn has come gets
 * [EventServiceTimeout], and nobody knows whether it was done. So nobody waits for longer than twice the patience.
 * Who ends a hold does not wait behind those who look, however many these are.
 *
 * Looks at events are shared: all who ask for the same one while it is being looked at have their answer from the next look.
 * Calls work in [scope], and go on there when whoever waited has gone.
 */
class BoundedEventService(private val service: EventService, private val scope: CoroutineScope, private val settings: EventServiceSettings = EventServiceSettings()) : EventService {
    private val reads = Bulkhead(settings.maxConcurrent, settings.maxQueued, settings.timeout)
    private val writes = Bulkhead(settings.maxConcurrent, settings.maxQueued, settings.timeout)
    private val events = SingleFlight { id: EventId -> bounded(reads) { service.event(id) } }
    private val newest = SingleFlight { limit: Int -> bounded(reads) { service.newest(limit) } }

    override suspend fun open(name: String, capacity: Int, hold: Duration) = bounded(writes) { service.open(name, capacity, hold) }

    override suspend fun newest(limit: Int): List<Event> = shared { newest.get(limit) }

    override suspend fun event(id: EventId): Event? = shared { events.get(id) }

    override suspend fun exists(id: EventId): Boolean = bounded(reads) { service.exists(id) }

    override suspend fun reservation(id: UUID): Reservation? = bounded(reads) { service.reservation(id) }

    override suspend fun confirm(id: UUID): Ending? = bounded(writes) { service.confirm(id) }

    override suspend fun release(id: UUID): Ending? = bounded(writes) { service.release(id) }

    private suspend fun <T> bounded(bulkhead: Bulkhead, call: suspend () -> T): T {
        if (!bulkhead.tryAcquire()) throw EventServiceBusy(settings.retryAfter)
        // Not broken off: it has a connection, and keeps its turn for as long.
        val done = scope.async { Done(call()) }
        done.invokeOnCompletion { bulkhead.release() }
        return (withTimeoutOrNull(settings.timeout) { done.await() } ?: throw EventServiceTimeout()).value
    }

    /** Who waits for the look of another, and then for his own, waits no longer than anybody else. */
    private suspend fun <T> shared(read: suspend () -> T): T =
        (withTimeoutOrNull(settings.timeout * 2) { Done(read()) } ?: throw EventServiceTimeout()).value

    private class Done<T>(val value: T)
}

/** Bounds of a [BoundedEventService]. */
data class EventServiceSettings(
    /** Looks under way at a time, and as many changes; more than there are connections to the books only wait elsewhere. */
    val maxConcurrent: Int = 2,
    /** Looks that may wait for their turn, and as many changes. */
    val maxQueued: Int = 10_000,
    /** How long one may wait for its turn, and how long for its end when its turn has come. */
    val timeout: Duration = 5.seconds,
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(maxConcurrent > 0 && maxQueued >= 0) { "nobody could be served with $this" }
    }
}

/** Nothing was done, because too many wait already; come back after [retryAfter]. */
class EventServiceBusy(val retryAfter: Duration) : RuntimeException("too many wait at the desk", null, false, false)

/** The books do not come to an end, so nobody knows whether it was done. */
class EventServiceTimeout : RuntimeException("the books do not answer", null, false, false)

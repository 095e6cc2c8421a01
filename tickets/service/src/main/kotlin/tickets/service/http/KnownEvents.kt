package threadgauge.tickets.service.http

import java.util.concurrent.ConcurrentHashMap
import org.springframework.stereotype.Component
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.SingleFlight

/**
 * Caches which events this service can sell, so that requests for others cost the strategy nothing. Events never
 * disappear, so entries never expire. Thread-safe.
 */
@Component
class KnownEvents(private val service: EventService) {
    private val known = ConcurrentHashMap.newKeySet<EventId>()
    private val lookups = SingleFlight { id: EventId ->
        id in known || service.exists(id).also { if (it) known += id }
    }

    /** Null if [text] is not the number of an event, or the ledger must be queried first. */
    fun known(text: String): EventId? = eventIdOf(text)?.takeIf { it in known }

    /** Null if there is no such event. Concurrent calls share one query. */
    suspend fun find(text: String): EventId? {
        val id = eventIdOf(text) ?: return null
        return id.takeIf { it in known || lookups.get(it) }
    }
}

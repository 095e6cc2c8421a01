package threadgauge.tickets.service.http

import org.springframework.stereotype.Component
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.SingleFlight
import java.util.concurrent.ConcurrentHashMap

/**
 * Events that can be sold here, so that asking for one that cannot costs the sellers nothing. Events never go away. Any thread may ask.
 */
@Component
class KnownEvents(private val service: EventService) {
    private val known = ConcurrentHashMap.newKeySet<EventId>()
    private val lookups = SingleFlight { id: EventId -> id in known || service.exists(id).also { if (it) known += id } }

    /** Null where the books have to be asked, or [text] is no event's number. */
    fun known(text: String): EventId? = eventIdOf(text)?.takeIf { it in known }

    /** Null for what is no event. The first thousand of a sale come at once: one of them looks, and all have what was found. */
    suspend fun find(text: String): EventId? {
        val id = eventIdOf(text) ?: return null
        return id.takeIf { it in known || lookups.get(it) }
    }
}

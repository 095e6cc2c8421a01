package threadgauge.tickets.service.http

import java.security.MessageDigest
import java.util.UUID
import org.springframework.stereotype.Component
import threadgauge.tickets.rules.EventId

/**
 * Protects the event of a rehearsal with a secret token. Without it the event does not exist, at this service and all
 * others. So no client can buy seats of an event whose reservations will be deleted. Thread-safe.
 */
@Component
class RehearsalAccess {
    private class Grant(val event: EventId, val token: ByteArray)

    /** Set by the thread that starts the service. */
    @Volatile
    private var grant: Grant? = null

    /** Returns the token, which each request for [event] must send in the header `Admission`. */
    fun open(event: EventId): String {
        val token = "${UUID.randomUUID()}"
        grant = Grant(event, token.encodeToByteArray())
        return token
    }

    fun close() {
        grant = null
    }

    /** Null if [event] is not that of the rehearsal, or [token] is not its token. */
    fun admit(event: String, token: String?): EventId? {
        val now = grant ?: return null
        val isAllowed = token != null && "${now.event}" == event &&
            MessageDigest.isEqual(now.token, token.encodeToByteArray())
        return now.event.takeIf { isAllowed }
    }
}

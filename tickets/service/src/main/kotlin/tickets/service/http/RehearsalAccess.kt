package threadgauge.tickets.service.http

import org.springframework.stereotype.Component
import threadgauge.tickets.rules.EventId
import java.security.MessageDigest
import java.util.UUID

/**
 * Where a service rehearses: an event that exists for those alone who know a word. Without it the event is none, to this service and to all
 * others, so nobody is ever sold what is taken out of the books afterwards. Any thread may ask.
 */
@Component
class RehearsalAccess {
    private class Grant(val event: EventId, val token: ByteArray)

    /** Set by the thread that starts the service. */
    @Volatile
    private var grant: Grant? = null

    /** Gives the word that is to be sent in the header `Admission` with every request for [event]. */
    fun open(event: EventId): String {
        val token = "${UUID.randomUUID()}"
        grant = Grant(event, token.encodeToByteArray())
        return token
    }

    fun close() {
        grant = null
    }

    /** Null for everybody who is not of the rehearsal. */
    fun admit(event: String, token: String?): EventId? {
        val now = grant ?: return null
        return now.event.takeIf { token != null && "$it" == event && MessageDigest.isEqual(now.token, token.encodeToByteArray()) }
    }
}

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
class Stage {
    private class Play(val event: EventId, val word: ByteArray)

    /** Set by the thread that starts the service. */
    @Volatile
    private var play: Play? = null

    /** Gives the word that is to be sent in the header `Admission` with every request for [event]. */
    fun open(event: EventId): String {
        val word = "${UUID.randomUUID()}"
        play = Play(event, word.encodeToByteArray())
        return word
    }

    fun close() {
        play = null
    }

    /** Null for everybody who is not of the rehearsal. */
    fun enter(event: String, word: String?): EventId? {
        val now = play ?: return null
        return now.event.takeIf { word != null && "$it" == event && MessageDigest.isEqual(now.word, word.encodeToByteArray()) }
    }
}

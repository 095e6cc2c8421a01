package threadgauge.tickets.service

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import org.springframework.stereotype.Component
import java.net.Inet6Address
import java.net.InetAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicReference

/** Those who ask for seats in a rehearsal, over connections to the service's own port, as everybody else does. */
@Component
class RehearsalCallers(
    private val context: ReactiveWebServerApplicationContext,
    @Value("\${server.address:}") private val address: String,
) {
    /**
     * Asks for a seat of [event] each, with the [word] for it and keys that nobody can have used before, so many at a time as a busy sale
     * has, up to [most] in all and as long as [goesOn]. Returns when all have their answers.
     */
    fun ask(event: String, word: String, most: Int, goesOn: () -> Boolean): Review {
        val review = Review()
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().use { client ->
            val room = Semaphore(AT_ONCE)
            var sent = 0
            while (sent < most && goesOn()) {
                room.acquire()
                client.sendAsync(request(event, word, sent++), HttpResponse.BodyHandlers.ofString()).whenComplete { answer, failure ->
                    review.note(answer, failure)
                    room.release()
                }
            }
            room.acquire(AT_ONCE)
        }
        return review
    }

    private fun request(event: String, word: String, number: Int) =
        HttpRequest.newBuilder(URI("http://${host()}:${context.webServer!!.port}/events/$event/reservations"))
            .header("Content-Type", "application/json").header("Idempotency-Key", "$word-$number").header("Admission", word)
            .POST(HttpRequest.BodyPublishers.ofString("""{"quantity":1}""")).build()

    /** The service listens at one address, or at all of this machine. */
    private fun host(): String {
        val own = address.takeIf { it.isNotBlank() }?.let(InetAddress::getByName)?.takeIf { !it.isAnyLocalAddress }
        return if (own is Inet6Address) "[${own.hostAddress}]" else own?.hostAddress ?: "127.0.0.1"
    }

    /** What the callers of a rehearsal were told. Any thread may note. */
    class Review {
        private val good = AtomicLong()
        private val bad = AtomicLong()
        private val firstBad = AtomicReference<String?>()

        /** Answers of a sale: a seat, or none left. */
        val right: Long get() = good.get()

        internal fun note(answer: HttpResponse<String>?, failure: Throwable?) {
            if (answer?.statusCode() == CREATED || answer?.statusCode() == CONFLICT) {
                good.incrementAndGet()
            } else {
                bad.incrementAndGet()
                firstBad.compareAndSet(null, answer?.let { "${it.statusCode()} ${it.body()}" } ?: "$failure")
            }
        }

        /** A busy machine may keep some waiting for too long. */
        fun mustBeGood() = check(right > bad.get()) {
            "${bad.get()} of ${right + bad.get()} requests were not answered as in a sale; the first: ${firstBad.get()}"
        }
    }

    private companion object {
        const val AT_ONCE = 64
        const val CREATED = 201
        const val CONFLICT = 409
    }
}

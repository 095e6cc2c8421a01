package threadgauge.tickets.service

import java.net.Inet6Address
import java.net.InetAddress
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicReference
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import org.springframework.stereotype.Component

/** The HTTP client of a rehearsal. It connects to the service's own port, as other clients do. */
@Component
class RehearsalClient(
    private val context: ReactiveWebServerApplicationContext,
    @Value("\${server.address:}") private val address: String,
) {
    /**
     * Sends requests for one seat of [event] each, with the access [token] and unique keys. As many run concurrently as
     * in a busy sale. Sends up to [maxRequests] while [mayContinue] is true, and returns when all are answered.
     */
    fun sellAll(event: String, token: String, maxRequests: Int, mayContinue: () -> Boolean): Result {
        val result = Result()
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().use { client ->
            val permits = Semaphore(MAX_CONCURRENT)
            var sent = 0
            while (sent < maxRequests && mayContinue()) {
                permits.acquire()
                client.sendAsync(request(event, token, sent++), HttpResponse.BodyHandlers.ofString())
                    .whenComplete { answer, failure ->
                        result.record(answer, failure)
                        permits.release()
                    }
            }
            permits.acquire(MAX_CONCURRENT)
        }
        return result
    }

    private fun request(event: String, token: String, number: Int) =
        HttpRequest.newBuilder(URI("http://${host()}:${context.webServer!!.port}/events/$event/reservations"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "$token-$number")
            .header("Admission", token)
            .POST(HttpRequest.BodyPublishers.ofString("""{"quantity":1}""")).build()

    /** The address at which the service listens; loopback if it listens at all addresses. */
    private fun host(): String {
        val own = address.takeIf { it.isNotBlank() }?.let(InetAddress::getByName)?.takeIf { !it.isAnyLocalAddress }
        return if (own is Inet6Address) "[${own.hostAddress}]" else own?.hostAddress ?: "127.0.0.1"
    }

    /** Counts of the answers in a rehearsal. Thread-safe. */
    class Result {
        private val answeredCount = AtomicLong()
        private val failedCount = AtomicLong()
        private val firstFailure = AtomicReference<String?>()

        /** Requests answered as in a sale: granted, or too few seats. */
        val answered: Long get() = answeredCount.get()

        internal fun record(answer: HttpResponse<String>?, failure: Throwable?) {
            if (answer?.statusCode() == CREATED || answer?.statusCode() == CONFLICT) {
                answeredCount.incrementAndGet()
            } else {
                failedCount.incrementAndGet()
                firstFailure.compareAndSet(null, answer?.let { "${it.statusCode()} ${it.body()}" } ?: "$failure")
            }
        }

        /** Throws if half of the requests failed or more. Some may time out on a busy machine. */
        fun requireSuccess() = check(answered > failedCount.get()) {
            val failed = failedCount.get()
            "$failed of ${answered + failed} requests were not answered as in a sale; the first: ${firstFailure.get()}"
        }
    }

    private companion object {
        const val MAX_CONCURRENT = 64
        const val CREATED = 201
        const val CONFLICT = 409
    }
}

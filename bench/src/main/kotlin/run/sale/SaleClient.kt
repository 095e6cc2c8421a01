package threadgauge.run.sale

import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault

/** Client of a service that sells seats, at [place]: as its administrator and as a customer. Safe for any thread. */
internal class SaleClient(private val place: URI, private val adminToken: String) {
    /**
     * True if `GET /health/readiness` is answered with 200: the service has finished its rehearsal and would sell.
     * Never throws.
     */
    fun isReady(): Boolean {
        val request = HttpRequest.newBuilder(place.resolve("/health/readiness")).timeout(Duration.ofSeconds(2)).build()
        return runCatching { http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() }.getOrNull() == OK
    }

    /**
     * Opens an event with [seats] seats, which are held for [hold] after a reservation, and returns its id. Throws
     * [NoEvent] if the service does not.
     */
    fun open(name: String, seats: Int, hold: Duration): Long {
        val body = """{"name": "$name", "capacity": $seats, "holdSeconds": ${hold.toSeconds()}}"""
        val answer = try {
            post("/events", body, "Authorization" to "Bearer $adminToken")
        } catch (failure: IOException) {
            throw NoEvent(TargetFault.NoEvent(error = failure.message ?: failure.toString()), failure)
        }
        if (answer.statusCode() != CREATED) throw NoEvent(TargetFault.NoEvent(answer.statusCode(), answer.body()))
        return answer.headers().firstValue("location").orElseThrow().substringAfterLast('/').toLong()
    }

    /**
     * Requests one seat with an idempotency [key]; returns the status and the body of the answer. Throws [IOException].
     */
    fun reserve(event: Long, key: String): Pair<Int, String> =
        post("/events/$event/reservations", """{"quantity": 1}""", "Idempotency-Key" to key)
            .let { it.statusCode() to it.body() }

    private fun post(path: String, body: String, header: Pair<String, String>): HttpResponse<String> {
        val request =
            HttpRequest.newBuilder(place.resolve(path)).timeout(PATIENCE).header("Content-Type", "application/json")
                .header(header.first, header.second).POST(HttpRequest.BodyPublishers.ofString(body)).build()
        return http.send(request, HttpResponse.BodyHandlers.ofString())
    }

    companion object {
        const val OK = 200
        const val CREATED = 201
        const val CONFLICT = 409
        private val PATIENCE: Duration = Duration.ofSeconds(20)
        private val http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build()
    }
}

/** The service opened no event, for the reason [fault]. */
internal class NoEvent(val fault: TargetFault.NoEvent, cause: Throwable? = null) :
    Failed(Failure.Target(fault), cause)

package threadgauge.tickets.faults

import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.Random
import java.util.UUID
import java.util.concurrent.CompletableFuture
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState

/**
 * A client that requests seats of [event] from a random service, and retries with the same key while the outcome is
 * unknown. Records every call. Not thread-safe.
 */
internal class TicketClient(
    private val urls: List<URI>,
    private val event: Long,
    private val random: Random,
    /** Attempts of a request whose outcome is unknown. */
    private val maxAttempts: Int = MAX_ATTEMPTS,
) {
    val calls = ArrayList<Call>()

    /** Keys whose last answer was that the outcome is unknown, with their seats. */
    val unresolved = LinkedHashMap<IdempotencyKey, Int>()

    /** Requests seats in one of several ways, and confirms or releases some of them. */
    fun requestSeats(key: IdempotencyKey) {
        val seats = 1 + random.nextInt(MAX_SEATS)
        // Some cancel within milliseconds and retry, some send the request to two services at a time.
        when (random.nextInt(20)) {
            in 0..1 -> record(send(key, seats, Duration.ofMillis(1 + random.nextLong(MAX_IMPATIENT_MILLIS))))
            2 -> List(2) { send(key, seats) }.forEach(::record)
        }
        val granted = reserve(key, seats) ?: return
        // Most reservations are kept, some are confirmed, some released.
        when (random.nextInt(10)) {
            in 0..1 -> end(granted, ReservationState.CONFIRMED)
            in 2..3 -> end(granted, ReservationState.RELEASED)
        }
        // As if the answer was lost.
        if (random.nextInt(20) == 0) reserve(key, seats)
    }

    /** Sends one request, without retries, and waits up to [timeout]. */
    fun reserveOnce(key: IdempotencyKey, seats: Int = 1, timeout: Duration = TIMEOUT): ReserveResult =
        record(send(key, seats, timeout))

    /** Sends one request and cancels it after [millis]. */
    fun reserveAndLeave(key: IdempotencyKey, millis: Long): ReserveResult =
        record(send(key, 1, Duration.ofMillis(millis)))

    /** Retries all requests whose outcome is unknown. All services must be up. */
    fun retryUnresolved() = unresolved.toMap().forEach { (key, seats) -> reserve(key, seats, MAX_ATTEMPTS) }

    private fun reserve(key: IdempotencyKey, seats: Int, maxAttempts: Int = this.maxAttempts): UUID? {
        repeat(maxAttempts) {
            val result = record(send(key, seats))
            if (result is ReserveResult.Granted) return result.reservation
            if (result == ReserveResult.SoldOut) return null
            Thread.sleep(PAUSE_MILLIS + random.nextLong(PAUSE_MILLIS))
        }
        return null
    }

    /** Sends a request, and cancels it with its connection after [timeout]. */
    private fun send(
        key: IdempotencyKey,
        seats: Int,
        timeout: Duration = TIMEOUT,
    ): CompletableFuture<Call.Reserve> {
        val request = reserveRequest(urls[random.nextInt(urls.size)], event, "$key", seats).timeout(timeout)
        val began = System.nanoTime()
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).handle { answer, failure ->
            if (failure != null && generateSequence(failure) { it.cause }.none { it is IOException }) throw failure
            Call.Reserve(began, answer?.let { System.nanoTime() }, key, seats, resultOf(answer))
        }
    }

    private fun resultOf(answer: HttpResponse<String>?): ReserveResult = when (answer?.statusCode()) {
        CREATED -> ReserveResult.Granted(UUID.fromString(ID.find(answer.body())!!.groupValues[1]))
        CONFLICT -> ReserveResult.SoldOut
        UNAVAILABLE -> if ("/problems/busy" in answer.body()) ReserveResult.Rejected else ReserveResult.Unknown
        null -> ReserveResult.Unknown
        else -> error("${answer.request().uri()} was answered with ${answer.statusCode()}: ${answer.body()}")
    }

    /** Waits for the result and records it. */
    private fun record(sent: CompletableFuture<Call.Reserve>): ReserveResult {
        val call = sent.join()
        calls += call
        when (call.result) {
            ReserveResult.Unknown -> unresolved[call.key] = call.seats
            ReserveResult.Rejected -> {}
            else -> unresolved -= call.key
        }
        return call.result
    }

    /**
     * Confirms or releases, with retries until there is an answer. A retry is answered with the result of the first.
     */
    fun end(reservation: UUID, how: ReservationState) {
        repeat(MAX_ATTEMPTS) {
            val path = "/reservations/$reservation"
            val began = System.nanoTime()
            val request = if (how == ReservationState.RELEASED) HttpRequest.newBuilder(anywhere(path)).DELETE() else
                HttpRequest.newBuilder(anywhere("$path/confirm")).POST(HttpRequest.BodyPublishers.noBody())
            val status = sendOrNull(request)?.statusCode()
            val done = when (status) {
                OK -> true
                CONFLICT -> false
                null, UNAVAILABLE -> null
                else -> error("the end of $reservation was answered with $status")
            }
            calls += Call.End(began, status?.let { System.nanoTime() }, reservation, how, done)
            if (done != null) return
            Thread.sleep(PAUSE_MILLIS)
        }
    }

    /** Null if there was no answer. */
    private fun sendOrNull(request: HttpRequest.Builder): HttpResponse<String>? = try {
        http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString())
    } catch (_: IOException) {
        null
    }

    private fun anywhere(path: String): URI = urls[random.nextInt(urls.size)].resolve(path)

    companion object {
        /** Enough for a killed service or database to be up again. */
        const val MAX_ATTEMPTS = 40
        private const val MAX_SEATS = 3
        private const val PAUSE_MILLIS = 100L
        private const val MAX_IMPATIENT_MILLIS = 30L
        private const val OK = 200
        private const val CONFLICT = 409
        private val TIMEOUT: Duration = Duration.ofSeconds(15)
        private val ID = Regex("\"id\":\"([0-9a-f-]{36})\"")
    }
}

internal val http: HttpClient =
    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build()

/** A request to the service at [url] for [seats] of [event]. */
internal fun reserveRequest(url: URI, event: Long, key: String, seats: Int): HttpRequest.Builder =
    HttpRequest.newBuilder(url.resolve("/events/$event/reservations")).header("Content-Type", "application/json")
        .header("Idempotency-Key", key).POST(HttpRequest.BodyPublishers.ofString("""{"quantity": $seats}"""))

/**
 * Opens the sale of [capacity] seats with holds of the length [hold] by the service at [url], whose admin token is
 * [token], and returns the number of its event. A planned fault may still happen, such as a connection cut before its
 * next request. So an unknown outcome is retried; an event that was opened twice does no harm.
 */
internal fun openEvent(url: URI, token: String, capacity: Int, hold: Duration): Long = await("an event at $url") {
    val sale = """{"name": "Soak", "capacity": $capacity, "holdSeconds": ${hold.toSeconds()}}"""
    val request = HttpRequest.newBuilder(url.resolve("/events"))
        .header("Content-Type", "application/json").header("Authorization", "Bearer $token")
        .POST(HttpRequest.BodyPublishers.ofString(sale))
    val answer = try {
        http.send(request.build(), HttpResponse.BodyHandlers.ofString())
    } catch (_: IOException) {
        return@await null
    }
    if (answer.statusCode() == UNAVAILABLE) return@await null
    check(answer.statusCode() == CREATED) { "no event was opened: ${answer.statusCode()} ${answer.body()}" }
    answer.headers().firstValue("location").orElseThrow().substringAfterLast('/').toLong()
}

private const val CREATED = 201
private const val UNAVAILABLE = 503

package threadgauge.tickets.faults

import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.Random
import java.util.UUID
import java.util.concurrent.CompletableFuture

/** Somebody who wants seats, asks whichever service, and asks again with the same key while nobody could tell. Notes every call. */
internal class TicketClient(
    private val urls: List<URI>,
    private val event: Long,
    private val random: Random,
    /** How often a wish is asked for that nobody can tell anything of. */
    private val maxAttempts: Int = MAX_ATTEMPTS,
) {
    val calls = ArrayList<Call>()

    /** Keys for which the last answer was that nobody knows, with their seats. */
    val unresolved = LinkedHashMap<IdempotencyKey, Int>()

    fun requestSeats(key: IdempotencyKey) {
        val seats = 1 + random.nextInt(MAX_SEATS)
        // Some lose patience within moments and ask again, some ask two services at a time.
        when (random.nextInt(20)) {
            in 0..1 -> record(send(key, seats, Duration.ofMillis(1 + random.nextLong(MAX_IMPATIENT_MILLIS))))
            2 -> List(2) { send(key, seats) }.forEach(::record)
        }
        val granted = reserve(key, seats) ?: return
        // What becomes of it: most are kept, some are bought, some given back.
        when (random.nextInt(10)) {
            in 0..1 -> end(granted, ReservationState.CONFIRMED)
            in 2..3 -> end(granted, ReservationState.RELEASED)
        }
        // Some callers never saw the answer and ask once more, wherever.
        if (random.nextInt(20) == 0) reserve(key, seats)
    }

    /** Asks a single time. */
    fun reserveOnce(key: IdempotencyKey, seats: Int = 1): ReserveResult = record(send(key, seats))

    /** The same, and goes away after [millis] without having heard anything. */
    fun reserveAndLeave(key: IdempotencyKey, millis: Long): ReserveResult = record(send(key, 1, Duration.ofMillis(millis)))

    /** Asks again for those of whom nobody knew; all services are well by now. */
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

    /** Begins to ask. Whoever hears nothing within [timeout] goes away, and his connection with him. */
    private fun send(key: IdempotencyKey, seats: Int, timeout: Duration = TIMEOUT): CompletableFuture<Call.Reserve> {
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

    /** Waits for what becomes of it, and keeps that. */
    private fun record(asked: CompletableFuture<Call.Reserve>): ReserveResult {
        val call = asked.join()
        calls += call
        when (call.result) {
            ReserveResult.Unknown -> unresolved[call.key] = call.seats
            ReserveResult.Rejected -> {}
            else -> unresolved -= call.key
        }
        return call.result
    }

    /** Tried until somebody answers; what an earlier try did, a later one is told. */
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

    /** Null where no answer came. */
    private fun sendOrNull(request: HttpRequest.Builder): HttpResponse<String>? = try {
        http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString())
    } catch (_: IOException) {
        null
    }

    private fun anywhere(path: String): URI = urls[random.nextInt(urls.size)].resolve(path)

    companion object {
        /** Enough for whatever is killed to be well again. */
        const val MAX_ATTEMPTS = 40
        private const val MAX_SEATS = 3
        private const val PAUSE_MILLIS = 100L
        private const val MAX_IMPATIENT_MILLIS = 30L
        private const val OK = 200
        private const val CREATED = 201
        private const val CONFLICT = 409
        private const val UNAVAILABLE = 503
        private val TIMEOUT: Duration = Duration.ofSeconds(15)
        private val ID = Regex("\"id\":\"([0-9a-f-]{36})\"")
    }
}

internal val http: HttpClient = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build()

/** A request to the service at [url] for [seats] of [event]. */
internal fun reserveRequest(url: URI, event: Long, key: String, seats: Int): HttpRequest.Builder =
    HttpRequest.newBuilder(url.resolve("/events/$event/reservations")).header("Content-Type", "application/json")
        .header("Idempotency-Key", key).POST(HttpRequest.BodyPublishers.ofString("""{"quantity": $seats}"""))

package threadgauge.contract.client

import java.net.Socket
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.net.http.HttpResponse.BodySubscriber
import java.net.http.HttpResponse.BodySubscribers
import java.nio.ByteBuffer
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Sends the requests of the checks to one server. Used by one thread. Closing it aborts the request in flight.
 *
 * Each request has a connection of its own. A server may finish an answer a moment after the client has received it,
 * and a request that arrives in that moment on the same connection can stay unread (Reactor Netty 1.3.7, its issue
 * 4361). That is a bug, but none of the work that the contract is about.
 */
class ContractClient(
    private val access: Access,
    /** The name that the server must report. */
    val stack: String,
    /** The model that the server must report. */
    val model: String,
    /** The longest that one answer may take. */
    val patience: Duration,
    val counters: DependencyCounters = DependencyCounters.NONE,
) : AutoCloseable {
    /** Of the last request. Owned by the client's thread. */
    private var client: HttpClient? = null

    /** At least one request was answered. Owned by the client's thread. */
    internal var wasAnswered = false
        private set

    fun get(path: String) = send("GET", path)

    /** The answer with its whole body, or [ContractViolation]. A request's own timeout would end with the headers. */
    fun send(
        method: String,
        path: String,
        headers: Map<String, String> = emptyMap(),
        body: ByteArray? = null,
    ): Answer {
        val publisher = if (body == null) BodyPublishers.noBody() else BodyPublishers.ofByteArray(body)
        val request = access.request(path).method(method, publisher)
            .apply { headers.forEach { (name, value) -> header(name, value) } }.build()
        val parts = listOf("$method $path") + headers.map { (name, value) -> "$name: $value" }
        val withBody = body?.let { " with body ${Answer.quoted(it.decodeToString())}" }.orEmpty()
        return answers(parts.joinToString(", ") + withBody, List(1) { request }).single()
    }

    /** Sends [count] requests for [path] before the first is answered. Each answer has the time of all together. */
    internal fun getConcurrently(path: String, count: Int): List<Answer> =
        answers("each of $count requests at once for GET $path", List(count) { access.request(path).build() })

    /**
     * Sends [waiting] requests for [long], and then up to [most] for [short], one after the other, until one of the
     * former is answered. Returns how many of the latter were answered before. All answers are correct by [verify].
     */
    internal fun countServedMeanwhile(
        long: String,
        waiting: Int,
        short: String,
        most: Int,
        verify: (Answer) -> Unit,
    ): Int {
        val words = "each of $waiting requests at once for GET $long"
        val others = access.newClient(patience.toJavaDuration())
        try {
            val start = System.nanoTime()
            val coming = List(waiting) { others.sendAsync(access.request(long).build(), BodyHandlers.ofByteArray()) }
            var served = 0
            // The first goes by the client of the others, which sends in this order.
            val clients = sequenceOf(others) + generateSequence { newClient() }
            for (client in clients.take(most)) {
                val answer = answers("GET $short", listOf(access.request(short).build()), client).single()
                if (coming.any { it.isDone }) break
                verify(answer)
                served++
            }
            collect(words, coming, start).forEach(verify)
            return served
        } finally {
            others.shutdownNow()
        }
    }

    /** The answer, and in how many pieces its body came, as the network and this client cut them. */
    internal fun getInPieces(path: String): Pair<Answer, Int> {
        val pieces = AtomicInteger()
        val start = System.nanoTime()
        val coming = newClient().sendAsync(access.request(path).build()) { CountingPieces(pieces) }
        return collect("GET $path", listOf(coming), start).single() to pieces.get()
    }

    private class CountingPieces(
        private val pieces: AtomicInteger,
        private val whole: BodySubscriber<ByteArray> = BodySubscribers.ofByteArray(),
    ) : BodySubscriber<ByteArray> by whole {
        override fun onNext(item: MutableList<ByteBuffer>) {
            // The end of a chunked body may come by itself, without a byte.
            if (item.any { it.hasRemaining() }) pieces.incrementAndGet()
            whole.onNext(item)
        }
    }

    private fun answers(words: String, requests: List<HttpRequest>, client: HttpClient = newClient()): List<Answer> {
        val start = System.nanoTime()
        return collect(words, requests.map { client.sendAsync(it, BodyHandlers.ofByteArray()) }, start)
    }

    /** Waits for all answers that are [coming] since [start]. */
    private fun collect(
        words: String,
        coming: List<CompletableFuture<HttpResponse<ByteArray>>>,
        start: Long,
    ): List<Answer> {
        val responses = coming.map { response ->
            try {
                response.get(patience.inWholeNanoseconds - (System.nanoTime() - start), TimeUnit.NANOSECONDS)
            } catch (_: TimeoutException) {
                coming.forEach { it.cancel(true) }
                throw ContractViolation("$words was not answered in full within $patience")
            } catch (failure: ExecutionException) {
                throw ContractViolation("$words failed: ${failure.cause}")
            }
        }
        val nanos = System.nanoTime() - start
        wasAnswered = true
        return responses.map { Answer(words, it.statusCode(), it.headers(), it.body(), nanos, access.adds) }
    }

    /** Headers that every request must carry. */
    internal val carried get() = access.headers

    /** For the caller to close. */
    fun connect(): Socket = access.connect(patience.toJavaDuration())

    private fun newClient(): HttpClient {
        close()
        return access.newClient(patience.toJavaDuration()).also { client = it }
    }

    override fun close() {
        client?.shutdownNow()
    }
}

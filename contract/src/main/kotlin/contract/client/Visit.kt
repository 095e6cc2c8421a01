package threadgauge.contract.client

import java.net.Socket
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * A conversation with one server. Used by one thread. Closing it ends the request that is still under way.
 *
 * Each request has a connection of its own. A server may be done with an answer a moment after its client has it, and a request
 * that comes in that moment on the same connection can be left unread (Reactor Netty 1.3.7, its issue 4361). That is a fault, but none
 * of the work that the contract is about.
 */
class Visit(
    private val access: Access,
    /** The name by which the server must call itself. */
    val stack: String,
    /** The model it must have. */
    val model: String,
    /** The longest that one answer may take. */
    val patience: Duration,
    val beside: Beside = Beside.NOTHING,
) : AutoCloseable {
    /** Of the last request; replaced and closed by the visiting thread. */
    private var client: HttpClient? = null

    /** At least one request was answered. Owned by the visiting thread. */
    internal var wasAnswered = false
        private set

    fun get(path: String) = send("GET", path)

    /** The answer with its whole body, or [Broken]: a request's own timeout would end with the headers. */
    fun send(method: String, path: String, headers: Map<String, String> = emptyMap(), body: ByteArray? = null): Answer {
        val publisher = if (body == null) BodyPublishers.noBody() else BodyPublishers.ofByteArray(body)
        val request = access.request(path).method(method, publisher)
            .apply { headers.forEach { (name, value) -> header(name, value) } }.build()
        val said = listOf("$method $path") + headers.map { (name, value) -> "$name: $value" }
        val words = said.joinToString(", ") + body?.let { " with body ${Answer.quoted(it.decodeToString())}" }.orEmpty()
        return take(words, List(1) { request }).single()
    }

    /** As many answers to [path] as requests are sent before the first is answered. The time of each is what all took together. */
    internal fun getTogether(path: String, count: Int): List<Answer> =
        take("each of $count requests at once for GET $path", List(count) { access.request(path).build() })

    private fun take(words: String, requests: List<HttpRequest>): List<Answer> {
        val client = newClient()
        val start = System.nanoTime()
        val coming = requests.map { client.sendAsync(it, BodyHandlers.ofByteArray()) }
        val responses = coming.map { response ->
            try {
                response.get(patience.inWholeNanoseconds - (System.nanoTime() - start), TimeUnit.NANOSECONDS)
            } catch (_: TimeoutException) {
                coming.forEach { it.cancel(true) }
                throw Broken("$words was not answered in full within $patience")
            } catch (failure: ExecutionException) {
                throw Broken("$words failed: ${failure.cause}")
            }
        }
        val nanos = System.nanoTime() - start
        wasAnswered = true
        return responses.map { Answer(words, it.statusCode(), it.headers(), it.body(), nanos, access.adds) }
    }

    /** What every request must carry. */
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

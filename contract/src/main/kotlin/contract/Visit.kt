package threadgauge.contract

import java.net.URI
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
 * A conversation with one server, over HTTP/1.1 and one connection at a time. Used by one thread. Closing it ends
 * every request that is still under way.
 */
class Visit(
    private val base: URI,
    /** The name by which the server must call itself. */
    val stack: String,
    /** The model it must have. */
    val model: String,
    /** The longest that one answer may take. */
    val patience: Duration,
) : AutoCloseable {
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(patience.toJavaDuration()).build()

    /** At least one request was answered. Owned by the visiting thread. */
    internal var wasAnswered = false
        private set

    internal fun get(path: String) = send("GET", path)

    /** The answer with its whole body, or [Broken]: a request's own timeout would end with the headers. */
    internal fun send(method: String, path: String): Answer {
        val request = HttpRequest.newBuilder(base.resolve(path)).method(method, BodyPublishers.noBody()).build()
        val start = System.nanoTime()
        val coming = client.sendAsync(request, BodyHandlers.ofByteArray())
        val response = try {
            coming.get(patience.inWholeNanoseconds, TimeUnit.NANOSECONDS)
        } catch (_: TimeoutException) {
            coming.cancel(true)
            throw Broken("$method $path was not answered in full within $patience")
        } catch (failure: ExecutionException) {
            throw Broken("$method $path failed: ${failure.cause}")
        }
        val nanos = System.nanoTime() - start
        wasAnswered = true
        return Answer("$method $path", response.statusCode(), response.headers(), response.body(), nanos)
    }

    override fun close() = client.shutdownNow()
}

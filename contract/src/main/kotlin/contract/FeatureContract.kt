package threadgauge.contract

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.util.zip.GZIPInputStream

/**
 * What the options of a stack add to its answers: one process with all of them, one with none. That each works alone is seen when the
 * experiment on their cost is run. [main] is the fully qualified name of the class with `main`; [plain] and [full] are the stack
 * without and with its options.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FeatureContract(main: String, plain: ShippedStack, full: ShippedStack) {
    private val without = ServerProcess(main, plain)
    private val with = ServerProcess(main, full)
    private val client: HttpClient = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private lateinit var plainBase: URI
    private lateinit var base: URI

    @BeforeAll
    fun start() {
        plainBase = without.start()
        base = with.start()
    }

    @AfterAll
    fun stop() {
        client.shutdownNow()
        without.stop()
        with.stop()
    }

    @Test
    fun `gzip compresses what is large, for who accepts it`() {
        val expected = referenceString(LARGE).toByteArray()
        val zipped = get(base, "/api/random/string/$LARGE", "Accept-Encoding" to "gzip")
        assertEquals("gzip", zipped.header("content-encoding"))
        assertTrue(zipped.body().size < expected.size, "${zipped.body().size} bytes")
        assertArrayEquals(expected, GZIPInputStream(zipped.body().inputStream()).readAllBytes())
        assertEquals(null, get(base, "/hello", "Accept-Encoding" to "gzip").header("content-encoding"))
        assertArrayEquals(expected, get(base, "/api/random/string/$LARGE").body())
        assertArrayEquals(expected, get(plainBase, "/api/random/string/$LARGE", "Accept-Encoding" to "gzip").body())
    }

    @Test
    fun `default headers and the interceptor mark every answer`() = listOf("x-served-by" to "threadgauge", "x-intercepted" to "yes")
        .forEach { (name, value) ->
            listOf("/hello", "/delay/1", "/runtime").forEach { assertEquals(value, get(base, it).header(name), "$name of $it") }
            assertEquals(null, get(plainBase, "/hello").header(name), "$name without the option")
        }

    @Test
    fun `with CORS pages from one other place may read the answers, and those from elsewhere may not`() {
        assertEquals(FRIEND, get(base, "/hello", "Origin" to FRIEND).header(ALLOWED))
        assertEquals(403, get(base, "/hello", "Origin" to "https://example.com").statusCode())
        assertEquals(null, get(plainBase, "/hello", "Origin" to FRIEND).header(ALLOWED))
        val ahead = HttpRequest.newBuilder(base.resolve("/hello")).method("OPTIONS", BodyPublishers.noBody())
            .header("Origin", FRIEND).header("Access-Control-Request-Method", "GET").build()
        val allowed = client.send(ahead, BodyHandlers.ofByteArray())
        assertEquals(200, allowed.statusCode())
        assertEquals(FRIEND, allowed.header(ALLOWED))
    }

    @Test
    fun `a line is logged for every call`() {
        get(base, "/delay/3")
        val end = System.nanoTime() + PATIENCE_NANOS
        while (logged(with) == null && System.nanoTime() < end) Thread.sleep(20)
        val line = checkNotNull(logged(with)) { "no line with GET, /delay/3 and 200 in\n${with.output}" }
        assertTrue("GET" in line && "200" in line, line)
        get(plainBase, "/delay/3")
        assertEquals(null, logged(without))
    }

    private fun logged(server: ServerProcess) = server.output.lines().firstOrNull { "/delay/3" in it }

    private fun get(base: URI, path: String, vararg headers: Pair<String, String>): HttpResponse<ByteArray> {
        val request = HttpRequest.newBuilder(base.resolve(path))
        headers.forEach { (name, value) -> request.header(name, value) }
        return client.send(request.build(), BodyHandlers.ofByteArray())
    }

    private fun HttpResponse<*>.header(name: String): String? = headers().firstValue(name).orElse(null)

    private companion object {
        /** Tomcat writes its lines ten seconds later where nothing presses. */
        const val PATIENCE_NANOS = 20_000_000_000L
        const val LARGE = 5_000
        const val FRIEND = "https://example.org"
        const val ALLOWED = "access-control-allow-origin"
    }
}

package threadgauge.server.upstream

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.net.http.HttpTimeoutException
import java.time.Duration
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("ports")
class UpstreamTest {
    private val upstream = Upstream.start()
    private val client = HttpClient.newHttpClient()

    @AfterEach
    fun stop() {
        client.shutdownNow()
        upstream.close()
    }

    @Test
    fun `an answer comes after the time in the request`() {
        val start = System.nanoTime()
        get("/test/120/7").body() shouldBe "result7"
        (System.nanoTime() - start) / 1_000_000 shouldBeGreaterThanOrEqual 120
        get("/test/0/9").body() shouldBe "result9"
    }

    @Test
    fun `many requests wait at a time on one event loop, and are counted`() {
        // A busy machine needs longer waits until all are under way before the first one ends.
        val waits = listOf(1_000, 3_000, 9_000).iterator()
        var sent = 0
        do {
            val millis = waits.next()
            val answers = (1..500).map { client.sendAsync(request("/test/$millis/$it"), BodyHandlers.ofString()) }
            answers.forEachIndexed { index, answer -> answer.get().body() shouldBe "result${index + 1}" }
            sent += answers.size
            get("/stats").body() shouldContain "requests $sent\nwaiting 0\n"
        } while (waits.hasNext() && counted("most waiting") < 500)
        counted("most waiting") shouldBe 500
    }

    @Test
    fun `pairs of requests that wait at one time are counted`() {
        repeat(3) { get("/test/20/$it") }
        counted("overlaps") shouldBe 0
        Socket("127.0.0.1", upstream.port).use { socket ->
            // In one packet, so the event loop begins all of them before the first one ends.
            val pipelined = (1..4).joinToString("") { "GET /test/300/$it HTTP/1.1\r\nHost: a\r\n\r\n" }
            val last = "GET /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            socket.getOutputStream().write((pipelined + last).toByteArray())
            socket.getInputStream().readAllBytes().decodeToString() shouldContain "overlaps 6\n"
        }
    }

    @Test
    fun `pipelined requests are answered in their order`() {
        Socket("127.0.0.1", upstream.port).use { socket ->
            val paths = listOf("/test/150/1", "/test/0/2", "/test/60/3")
            val last = "GET /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            val bytes = paths.joinToString("") { "GET $it HTTP/1.1\r\nHost: a\r\n\r\n" } + last
            socket.getOutputStream().write(bytes.toByteArray())
            val text = socket.getInputStream().readAllBytes().decodeToString()
            Regex("result\\d|requests \\d").findAll(text).map { it.value }.toList() shouldContainExactly
                listOf("result1", "result2", "result3", "requests 3")
        }
    }

    @Test
    fun `it misbehaves for the configured percentages, and no more`() {
        post("/behave?errors=20&slow=10").statusCode() shouldBe 200
        val answers = (1..100).map { client.sendAsync(request("/test/0/$it"), BodyHandlers.ofString()) }
            .map { it.get() }
        answers.count { it.statusCode() == 500 } shouldBe 20
        answers.filter { it.statusCode() == 200 }.all { it.body().startsWith("result") } shouldBe true
        post("/behave").statusCode() shouldBe 200
        (1..100).count { get("/test/0/$it").statusCode() == 500 } shouldBe 0
    }

    @Test
    fun `a stalled request is never answered, and is counted until its client closes the connection`() {
        post("/behave?stalls=100")
        val patient = HttpRequest.newBuilder(uri("/test/0/1"))
            .version(HttpClient.Version.HTTP_1_1).timeout(Duration.ofMillis(300)).build()
        shouldThrow<HttpTimeoutException> { client.send(patient, BodyHandlers.ofString()) }
        val end = System.nanoTime() + 60_000_000_000
        while ("waiting 0\n" !in get("/stats").body() && System.nanoTime() < end) Thread.sleep(10)
        get("/stats").body() shouldContain "waiting 0\n"
    }

    @Test
    fun `a slow answer comes byte by byte`() {
        post("/behave?slow=100")
        val start = System.nanoTime()
        get("/test/0/1").body() shouldBe "result1"
        (System.nanoTime() - start) / 1_000_000 shouldBeGreaterThanOrEqual 600
    }

    @Test
    fun `an unknown request is rejected with a list of the valid ones`() {
        get("/nowhere").let { it.statusCode() to it.body() } shouldBe
            (404 to "there are GET /test/{ms}/{index}, GET /stats and POST /behave?errors=&stalls=&slow=")
        listOf("/test/-1/1", "/test/60001/1", "/test/x/1", "/test/1/a-b", "/test/1/")
            .forEach { get(it).statusCode() shouldBe 400 }
        listOf("errors=101", "errors=-1", "errors=x", "errors=60&slow=60", "eror=1")
            .forEach { post("/behave?$it").statusCode() shouldBe 400 }
    }

    private fun uri(path: String) = URI("http://127.0.0.1:${upstream.port}$path")

    private fun request(path: String) = HttpRequest.newBuilder(uri(path)).build()

    /** The count with this [name] in the statistics. */
    private fun counted(name: String): Int =
        get("/stats").body().lines().single { it.startsWith("$name ") }.removePrefix("$name ").toInt()

    private fun get(path: String): HttpResponse<String> = client.send(request(path), BodyHandlers.ofString())

    private fun post(path: String): HttpResponse<String> =
        client.send(HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString())
}

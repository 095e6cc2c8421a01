package threadgauge.server.upstream

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("ports")
class StandInTest {
    @Test
    fun `any request is answered in the same way, after its time, and every hundredth fails`() {
        val paid = "{\"paid\": true}"
        val options = mapOf("delay" to "20", "errors" to "0.01", "body" to paid, "type" to "application/json")
        Upstream.start(0, StandIn.of(options)).use { upstream ->
            HttpClient.newHttpClient().use { client ->
                val start = System.nanoTime()
                val answers = (1..200).map { number ->
                    val method = listOf("GET", "POST", "DELETE")[number % 3]
                    val request = HttpRequest.newBuilder(URI("http://127.0.0.1:${upstream.port}/pay/$number?x"))
                        .method(method, BodyPublishers.ofString("amount")).build()
                    client.sendAsync(request, BodyHandlers.ofString())
                }.map { it.get() }
                (System.nanoTime() - start) / 1_000_000 shouldBeGreaterThanOrEqual 20
                answers.count { it.statusCode() == 500 } shouldBe 2
                val good = answers.filter { it.statusCode() == 200 }
                good.map { it.body() }.distinct() shouldContainExactly listOf(paid)
                good.first().headers().firstValue("content-type").get() shouldBe "application/json"
            }
        }
    }

    @Test
    fun `delays are spread evenly between both ends, and errors over the requests`() {
        val standIn = StandIn.of(mapOf("delay" to "10..19", "errors" to "0.25"))
        val fates = List(1_000) { standIn.next() }
        fates.groupingBy { it.millis }.eachCount().let { counts ->
            counts.keys.sorted() shouldContainExactly (10L..19L).toList()
            counts.values.all { it in 97..103 } shouldBe true
        }
        fates.chunked(4).all { four -> four.count { it.isError } == 1 } shouldBe true
    }

    @Test
    fun `wrong options are refused`() {
        val delays = listOf("x", "20..10", "60001").map { "delay" to it }
        for (wrong in delays + listOf("errors" to "2", "errors" to "x")) {
            shouldThrow<IllegalArgumentException> { StandIn.of(mapOf("delay" to "1") + wrong) }
        }
    }
}

package threadgauge.server.backends

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.http.HttpHeaders
import org.springframework.web.reactive.function.client.WebClientResponseException
import reactor.core.Exceptions
import threadgauge.server.upstream.Upstream

@Tag("ports")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrategiesTest {
    private val upstream = Upstream.start()
    private val address = "http://127.0.0.1:${upstream.port}"
    private val fanOut = FanOut(address)

    @AfterAll
    fun close() = upstream.close()

    @Test
    fun `each strategy returns the results in the order of the calls`() = each { strategy ->
        results(fanOut, strategy, calls = 100, threads = 3) shouldBe (1..100).map { "result$it" }
    }

    @Test
    fun `a strategy fails if one of ten calls fails`() {
        behave("errors=10")
        try {
            each { strategy -> shouldThrow<UpstreamFailed> { results(fanOut, strategy, calls = 100, threads = 3) } }
        } finally {
            behave("errors=0")
        }
    }

    @Test
    fun `an upstream that refuses connections is a failure of the upstream`() {
        val nowhere = FanOut("http://127.0.0.1:1")
        each { strategy -> shouldThrow<UpstreamFailed> { results(nowhere, strategy, calls = 2, threads = 2) } }
    }

    @Test
    fun `there is one pool per number of threads, and the leaking strategy creates one per request`() {
        val onPools = listOf("executor", "coroutine", "coroutine-leak")
        repeat(3) { onPools.forEach { results(fanOut, it, calls = 7, threads = 7) } }
        threads("executor-7-") shouldHaveSize 7
        threads("coroutine-7-") shouldHaveSize 7
        threads("leaked-").count { it.isDaemon } shouldBe threads("leaked-").size
        threads("leaked-").groupBy { it.name }.getValue("leaked-6").size shouldBe 3
    }

    @Test
    fun `the WebClient has as many event loops as requested`() {
        repeat(3) { results(fanOut, "webclient", calls = 20, threads = 5) }
        threads("webclient-5-") shouldHaveSize 5
    }

    @Test
    fun `concurrent failures of calls count as one`() {
        val refused = WebClientResponseException.create(500, "no", HttpHeaders.EMPTY, ByteArray(0), null)
        isCallFailure(refused) shouldBe true
        isCallFailure(Exceptions.multiple(refused, IllegalStateException("released"))) shouldBe true
        isCallFailure(Exceptions.multiple(refused, NullPointerException())) shouldBe false
    }

    private fun each(test: (String) -> Unit) = strategies.forEach { withClue(it) { test(it) } }

    private fun results(fanOut: FanOut, name: String, calls: Int, threads: Int): List<String> {
        val (strategy, parsed) = fanOut.parse(name, "0", "$calls", "$threads")
        return when (strategy) {
            is Strategy.Blocking -> strategy.results(parsed)
            is Strategy.Suspending -> runBlocking { strategy.results(parsed) }
            is Strategy.Reactive -> checkNotNull(strategy.results(parsed).block())
        }
    }

    private fun threads(prefix: String) = Thread.getAllStackTraces().keys.filter { it.name.startsWith(prefix) }

    private fun behave(how: String) = HttpClient.newHttpClient().use { client ->
        val request = HttpRequest.newBuilder(URI("$address/behave?$how")).POST(BodyPublishers.noBody()).build()
        client.send(request, BodyHandlers.ofString()).statusCode() shouldBe 200
    }

    private companion object {
        val strategies = listOf(
            "sequential", "executor", "coroutine", "coroutine-leak", "webclient", "webclient-coroutine", "virtual",
        )
    }
}

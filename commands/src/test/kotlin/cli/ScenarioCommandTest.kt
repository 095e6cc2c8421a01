package threadgauge.cli

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** A shop of somebody's own, whose users look around or buy. */
@Tag("processes")
class ScenarioCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `two shops are compared by what users do, and a goal of a step is broken by the slow one`() {
        Shop(payMillis = 1).use { quick ->
            Shop(payMillis = 600).use { slow ->
                val file = folder.resolve("shop.yaml").also { it.writeText(experiment(quick, slow)) }
                val summary = folder.resolve("summary.md")
                val run = CommandLine(folder).run("run", "$file", "--markdown", "$summary")
                withClue(run.out + run.err) { run.exitCode shouldBe ExitCode.FAILED.number }
                run.out shouldContain "slow, buy.pay p50<400ms"
                run.out shouldContain "POST /carts/{cart}/items  quick"
                run.out shouldNotContain "differ in length"
                summary.readText() shouldContain "**broken**"
                (quick.wrong + slow.wrong).shouldBeEmpty()
                val record = run.record()
                for ((name, shop) in mapOf("quick" to quick, "slow" to slow)) {
                    val scenarios = record.trials.filter { it.stack == name }
                        .flatMap { trial -> trial.samples.flatMap { it.scenarios } }
                    val buys = scenarios.filter { it.name == "buy" }
                    val paid = buys.sumOf { buy -> buy.steps.last().answered }
                    paid shouldBeGreaterThan 10
                    // Warm-up pays, too.
                    shop.paid.get().toLong() shouldBeGreaterThanOrEqual paid
                    buys.sumOf { it.failed } shouldBe 0
                    val browsing = scenarios.filter { it.name == "browse" }.sumOf { it.begun }
                    browsing shouldBeGreaterThan buys.sumOf { it.begun }
                }
                record.trials.first().samples.single().let { sample ->
                    sample.counts.answered shouldBe sample.scenarios.sumOf { one -> one.steps.sumOf { it.answered } }
                }
            }
        }
    }

    private fun experiment(quick: Shop, slow: Shop) = """
        name: shop
        question: Which shop is quicker?
        stacks:
          - {name: quick, url: "${quick.url}"}
          - {name: slow, url: "${slow.url}"}
        scenarios:
          browse:
            weight: 75%
            steps: [GET /products, {think: 100ms..200ms}, "GET /products/{1..9}"]
          buy:
            weight: 25%
            steps:
              - {send: POST /carts, expect: {status: 201}, keep: {cart: "json:id", token: "header:X-Token"}}
              - {send: "POST /carts/{cart}/items", headers: {X-Token: "{token}"}, body: '{"item": {1..500}}'}
              - {send: "POST /carts/{cart}/pay", name: pay, expect: {json: {state: PAID}}}
        load: {users: 4, for: 3s}
        goals: errors<1%, buy.pay p50<400ms
        trials: 3
        warm-up: {budget: 1s, load: 200ms, pause: 0s}
    """.trimIndent()

    private class Shop(payMillis: Long) : AutoCloseable {
        val wrong = ConcurrentLinkedQueue<String>()
        val paid = AtomicInteger()
        private val tokens = ConcurrentHashMap<String, String>()
        private val numbers = AtomicInteger()
        private val workers = Executors.newVirtualThreadPerTaskExecutor()
        private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100).also {
            it.executor = workers
            it.createContext("/") { exchange -> exchange.use { serve(exchange, payMillis) } }
            it.start()
        }
        val url = "http://127.0.0.1:${server.address.port}/"

        private fun serve(exchange: HttpExchange, payMillis: Long) {
            val path = exchange.requestURI.path
            val cart = path.split('/').getOrNull(2)
            exchange.requestBody.readAllBytes()
            when {
                path.startsWith("/products") -> answer(exchange, 200, "[]")
                // The run asks every service for its metrics; this one has none, and says so.
                !path.startsWith("/carts") -> answer(exchange, 404, "no")
                path == "/carts" -> {
                    val id = "c${numbers.incrementAndGet()}"
                    tokens[id] = "t-$id"
                    exchange.responseHeaders.add("X-Token", "t-$id")
                    answer(exchange, 201, "{\"id\": \"$id\"}")
                }
                path.endsWith("/items") && exchange.requestHeaders.getFirst("X-Token") == tokens[cart] ->
                    answer(exchange, 200, "{}")
                path.endsWith("/pay") && cart != null && tokens.containsKey(cart) -> {
                    Thread.sleep(payMillis)
                    paid.incrementAndGet()
                    answer(exchange, 200, "{\"state\": \"PAID\"}")
                }
                else -> answer(exchange, 400, "no").also { wrong += path }
            }
        }

        private fun answer(exchange: HttpExchange, status: Int, body: String) {
            exchange.sendResponseHeaders(status, body.length.toLong())
            exchange.responseBody.write(body.toByteArray())
        }

        override fun close() {
            server.stop(0)
            workers.close()
        }
    }
}

package threadgauge.contract.check.backend

import com.sun.net.httpserver.HttpExchange
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.example.Counts
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Reply
import threadgauge.contract.example.Sabotage
import threadgauge.contract.example.text

/** Each way to do other work than requested is found. */
@Tag("processes")
class BackendChecksTest {
    @Test
    fun `parts that are fetched one after the other are found`() = against("/mobile/users/1", { exchange, right ->
        val query = exchange.requestURI.query.orEmpty()
        if ("from=upstream" !in query) right() else {
            // Only the counts show it: the answer is as early as that of a correct server.
            counts.call(2, atOnce = 1)
            Thread.sleep(query.substringAfter("ms=").substringBefore('&').toLong())
            Reply(200, "application/json", userPage(exchange.requestURI.path.substringAfterLast('/').toInt()))
        }
    }, patience = 2.seconds) {
        it shouldHaveSize 1
        it.single() shouldContain "GET /mobile/users/7?ms=400&from=upstream: " +
            "expected 1 pairs of backend calls that overlap, as 2 calls at a time make, got 0"
    }

    @Test
    fun `parts within the process that follow one another are found`() = against("/mobile/users/1", { exchange, right ->
        millisWithin.matchEntire(exchange.requestURI.query.orEmpty())?.let { Thread.sleep(it.groupValues[1].toLong()) }
        right()
    }, patience = 2.seconds) {
        it.single() shouldContain "GET /mobile/users/7?ms=400: expected the answer within 800 ms, got it after"
    }

    @Test
    fun `an answer that is late by a constant time is correct`() = against("/mobile/users/1", { exchange, right ->
        if (exchange.requestURI.query.orEmpty().startsWith("ms=")) Thread.sleep(150)
        right()
    }) { it.shouldBeEmpty() }

    @Test
    fun `parts that come from a cache are found`() {
        var isCached = false
        against("/mobile/users/1", { exchange, right ->
            if (exchange.requestURI.query != "ms=100") right()
            else if (isCached) Reply(200, "application/json", userPage(7)) else right().also { isCached = true }
        }) { it.single() shouldContain "GET /mobile/users/7?ms=100: expected to wait at least 100 ms" }
    }

    @Test
    fun `calls that are made one or five at a time are found`() = listOf(1 to 0, 5 to 20).forEach { (atOnce, pairs) ->
        against("/fanout/virtual/1", { exchange, right ->
            if (exchange.requestURI.query != "calls=10&n=10") right() else {
                counts.call(10, atOnce)
                Thread.sleep(exchange.millis)
                text(results(10))
            }
        }, patience = 2.seconds) {
            it.single() shouldStartWith "/fanout/virtual makes its calls concurrently, as far as its threads allow: "
            it.single() shouldContain "GET /fanout/virtual/100?calls=10&n=10: " +
                "expected 45 pairs of backend calls that overlap, as 10 calls at a time make, got $pairs"
        }
    }

    @Test
    fun `where no backend counts, calls that are made one after the other are found by their time`() {
        val violations = ExampleServer { exchange, right ->
            if (exchange.requestURI.query == "calls=10&n=10") Thread.sleep(9 * exchange.millis)
            right()
        }.use {
            val path = setOf("/fanout/virtual/1")
            HttpContract.violations(Access(it.base), "example", "VIRTUAL_THREADS", path, patience = 2.seconds)
        }
        violations.single() shouldContain
            "GET /fanout/virtual/100?calls=10&n=10: expected the answer within 1000 ms, got it after"
    }

    @Test
    fun `calls that overlap where none should are found, however long the answer takes`() {
        fun overlapping(path: String, query: String) = against(path, { exchange, right ->
            if (exchange.requestURI.query == query) counts.overlap()
            right()
        }) { it.single() shouldContain "$query: expected one backend call at a time, got 1 pairs that overlap" }
        overlapping("/fanout/executor/1", "calls=10&n=1")
        overlapping("/fanout/sequential/1", "calls=10&n=10")
    }

    @Test
    fun `concurrent calls on a single thread are found`() = against("/fanout/executor/1", { exchange, right ->
        if (exchange.requestURI.query == "calls=10&n=1") Thread.sleep(25).let { text(results(10)) } else right()
    }) { it.single() shouldContain "GET /fanout/executor/25?calls=10&n=1: expected to wait at least 250 ms" }

    @Test
    fun `sequential calls that are concurrent are found`() = against("/fanout/sequential/1", { exchange, right ->
        if (exchange.requestURI.query == "calls=10&n=10") Thread.sleep(25).let { text(results(10)) } else right()
    }) {
        it.single() shouldStartWith
            "/fanout/sequential makes its calls one after the other: GET /fanout/sequential/25?calls=10&n=10"
    }

    @Test
    fun `a parameter that is ignored is found`() = against("/fanout/webclient/1", { exchange, right ->
        if (exchange.requestURI.query == "calls=3&n=2") text(results(10)) else right()
    }) { it.first() shouldContain "expected body \"result1,result2,result3\"" }

    @Test
    fun `a strategy is checked only where it is measured`() {
        val requested = mutableSetOf<String>()
        against("/fanout/webclient/1000?n=2", { exchange, right ->
            right().also { requested += exchange.requestURI.path }
        }) {
            it.shouldBeEmpty()
            requested.filter { path -> path.startsWith("/fanout/coroutine-leak") }.shouldBeEmpty()
            requested shouldContain "/fanout/webclient/25"
        }
    }

    /** The last part of the path. */
    private val HttpExchange.millis get() = requestURI.path.substringAfterLast('/').toLong()

    private val millisWithin = Regex("ms=(\\d{3,4})")

    /** What the server of the test pretends to call. */
    private val counts = Counts()

    private fun against(
        path: String,
        sabotage: Sabotage,
        patience: Duration = 20.seconds,
        verify: (List<String>) -> Unit,
    ) {
        val violations = ExampleServer(counts, sabotage).use {
            HttpContract.violations(
                Access(it.base), "example", "VIRTUAL_THREADS", setOf(path), patience, it.counters,
            )
        }
        withClue(violations) { verify(violations) }
    }
}

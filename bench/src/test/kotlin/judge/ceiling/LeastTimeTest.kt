package threadgauge.judge.ceiling

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.runtimeOf
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.wording.words

class LeastTimeTest {
    @Test
    fun `what waits in the handler takes the time in its path`() {
        millisOf(
            "/delay/100" to 100, "/block/2" to 2, "/offload/7?a=b" to 7, "/delay/0" to null, "/hello" to null,
            "/delay/{1..5}" to null,
        )
    }

    @Test
    fun `a page waits for its two parts at the same time`() =
        millisOf(
            "/mobile/users/7?ms=250" to 250, "/mobile/users/7?ms=250&from=upstream" to 250, "/mobile/users/7" to 1_000,
        )

    @Test
    fun `calls wait for one another as their strategy says`() = millisOf(
        "/fanout/sequential/20" to 200,
        "/fanout/executor/20" to 20,
        "/fanout/executor/20?n=4" to 60,
        "/fanout/coroutine-leak/20?n=1&calls=3" to 60,
        "/fanout/webclient/20?n=1" to 20,
        "/fanout/virtual/20?calls=100" to 20,
    )

    @Test
    fun `a stream takes its pauses`() =
        millisOf("/events/20/50" to 1_000, "/events/0/50" to null, "/events/20" to null)

    @Test
    fun `a pool that all requests share is a ceiling of its own`() {
        wordsFor("/fanout/coroutine/100?n=10", users = 40) shouldContainExactly
            listOf("40 users ÷ 100 ms = 400.0", "10 client threads ÷ (10 calls × 100 ms) = 10.0")
        wordsFor("/fanout/executor/50?n=1&calls=4", users = 1) shouldContainExactly
            listOf("1 user ÷ 200 ms = 5.0", "1 client thread ÷ (4 calls × 50 ms) = 5.0")
        wordsFor("/fanout/webclient/100?n=1", users = 40) shouldContainExactly
            listOf("40 users ÷ 100 ms = 400.0", "500 client connections ÷ (10 calls × 100 ms) = 500.0")
        wordsFor("/fanout/virtual/100", users = 40) shouldContainExactly listOf("40 users ÷ 100 ms = 400.0")
    }

    @Test
    fun `a ceiling is reached from nine tenths of it on`() {
        fun reached(perSecond: Double) =
            ceilings(situation("/fanout/executor/100", 40), null, perSecond).map { it.reached }
        reached(8.9) shouldContainExactly listOf(false, false)
        reached(9.1) shouldContainExactly listOf(false, true)
    }

    @Test
    fun `a longer way is a ceiling for users, also where nobody knows what the server takes`() {
        val far = Connections(delayNanos = 20_500_000)
        fun words(path: String) =
            ceilings(situation(path, 41).copy(connections = far), null, null)
                .map { "${it.words} = ${it.requestsPerSecond}" }
        words("/hello") shouldContainExactly listOf("41 users ÷ 20.5 ms network delay = 2000.0")
        words("/delay/61") shouldContainExactly listOf("41 users ÷ (61 ms + 20.5 ms network delay) = ${41_000 / 81.5}")
        ceilings(situation("/hello", 41), null, null) shouldContainExactly emptyList()
    }

    @Test
    fun `connections are a ceiling where not all users get one`() {
        val runtime = runtimeOf("a", emptyMap()).copy(maxConnections = 8)
        fun words(users: Int, travel: Connections = Connections()) =
            ceilings(situation("/delay/10", users).copy(connections = travel), runtime, null).map { it.words }
        words(8) shouldContainExactly listOf("8 users ÷ 10 ms")
        words(9) shouldContainExactly listOf("9 users ÷ 10 ms", "8 connections ÷ 10 ms")
        val far = Connections(delayNanos = 5_000_000)
        words(9, far) shouldContainExactly
            listOf("9 users ÷ (10 ms + 5 ms network delay)", "8 connections ÷ (10 ms + 5 ms network delay)")
        words(9, far.copy(perRequest = true)).last() shouldBe "8 connections ÷ 10 ms"
        words(9, Connections(protocol = Protocol.HTTP_2, streams = 2)) shouldContainExactly listOf("9 users ÷ 10 ms")
    }

    @Test
    fun `after a lead-in answers that began before it count, so few of them are no ceiling of their own`() {
        val short = situation("/events/100/10", 1_000).copy(load = Load.Users(1_000, 8_000_000_000))
        fun words(hasLeadIn: Boolean) =
            ceilings(short, null, 980.0, hasLeadIn).single().let { "${it.words} = ${it.requestsPerSecond}" }
        words(hasLeadIn = false) shouldBe "1,000 users × 7 whole answers of 1000 ms ÷ 8 s = 875.0"
        words(hasLeadIn = true) shouldBe "1,000 users ÷ 1000 ms = 1000.0"
    }

    @Test
    fun `the server's own client is a ceiling for requests that make calls by it`() {
        val runtime = runtimeOf("a", emptyMap()).copy(maxCalls = 100)
        fun words(path: String) =
            ceilings(situation(path, 200), runtime, null).map { "${it.words} = ${it.requestsPerSecond}" }
        words("/mobile/users/7?ms=250&from=upstream") shouldContainExactly
            listOf("200 users ÷ 250 ms = 800.0", "100 client connections ÷ (2 calls × 250 ms) = 200.0")
        // Parts that are made in the process need no call, and the ways of a fan-out have clients of their own.
        words("/mobile/users/7?ms=250") shouldContainExactly listOf("200 users ÷ 250 ms = 800.0")
        words("/fanout/virtual/250") shouldContainExactly listOf("200 users ÷ 250 ms = 800.0")
    }

    private fun millisOf(vararg wanted: Pair<String, Int?>) = wanted.forEach { (path, millis) ->
        withClue(path) { leastTimeOf(path)?.millis shouldBe millis?.toLong() }
    }

    private fun wordsFor(path: String, users: Int) =
        ceilings(situation(path, users), null, null).map { "${it.words} = ${it.requestsPerSecond}" }

    private fun situation(path: String, users: Int) =
        Situation("a", "are asked", Request(path = path), Load.Users(users, 10_000_000_000))
}

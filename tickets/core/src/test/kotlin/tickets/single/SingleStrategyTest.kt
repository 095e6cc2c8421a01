package threadgauge.tickets.single

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.InMemoryLedger

class SingleStrategyTest {
    private val ledger = InMemoryLedger(capacity = 100)

    @Test
    fun `exactly the capacity is granted, with no more concurrent calls than allowed`() = runTest {
        var running = 0
        var maxRunning = 0
        val strategy = strategy(SingleSettings(maxConcurrent = 4)) { request ->
            running++
            maxRunning = maxOf(maxRunning, running)
            ledger.grant(request.event, listOf(request)).single().also { running-- }
        }
        val answers = strategy.together(150)
        answers.count { it is Answer.Granted } shouldBe 100
        answers.count { it is Answer.TooFewSeats } shouldBe 50
        maxRunning shouldBe 4
        ledger.remaining shouldBe 0
    }

    @Test
    fun `requests beyond the queue's limit are rejected at once`() = runTest {
        val answers = strategy(SingleSettings(maxConcurrent = 2, maxQueued = 10)).together(50)
        answers.count { it is Answer.Granted } shouldBe 12
        answers.filterIsInstance<Answer.Busy>() shouldHaveSize 38
        ledger.reservations.size shouldBe 12
    }

    @Test
    fun `no request waits for a permit longer than the timeout, and no permit is lost`() = runTest {
        val strategy = strategy(SingleSettings(maxConcurrent = 1, timeout = 2.seconds)) { request ->
            delay(1_500)
            ledger.grant(request.event, listOf(request)).single()
        }
        val answers = strategy.together(5)
        answers.count { it is Answer.Granted } shouldBe 2
        answers.count { it is Answer.Busy } shouldBe 3
        strategy.reserve(request(77)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `a ledger that fails for a while sells nothing twice, and one that stays down yields unknown`() = runTest {
        var failures = 2
        ledger.onCommitted = { if (failures > 0) { failures--; throw IOException("connection reset") } }
        strategy().reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
        ledger.reservations.size shouldBe 1
        ledger.onBegin = { throw IOException("no connection") }
        val began = currentTime
        strategy(SingleSettings(timeout = 2.seconds)).reserve(request(2)) shouldBe Answer.Unknown
        (currentTime - began).toInt() shouldBeLessThanOrEqual 2_000
    }

    @Test
    fun `a call that hangs delays no other beyond the timeout, and keeps its permit`() = runTest {
        var hanging = 0
        val strategy = strategy(SingleSettings(maxConcurrent = 2, timeout = 2.seconds)) { request ->
            if (request.key.text in listOf("k1", "k2")) {
                withContext(NonCancellable) { hanging++; delay(10_000); hanging-- }
            }
            ledger.grant(request.event, listOf(request)).single()
        }
        val answers = strategy.together(4)
        currentTime shouldBe 2_000
        answers.take(2) shouldBe List(2) { Answer.Unknown }
        answers.drop(2).forEach { it.shouldBeInstanceOf<Answer.Busy>() }
        hanging shouldBe 2
        strategy.reserve(request(5)).shouldBeInstanceOf<Answer.Busy>()
        currentTime shouldBe 4_000
        delay(7_000)
        strategy.reserve(request(6)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `a cancelled request gives its permit to the next`() = runTest {
        val strategy = strategy(SingleSettings(maxConcurrent = 1))
        val callers = (1..20).map { launch { strategy.reserve(request(it)) } }
        runCurrent()
        callers.drop(1).forEach { it.cancelAndJoin() }
        strategy.reserve(request(99)).shouldBeInstanceOf<Answer.Granted>()
        ledger.reservations.keys.map { it.text } shouldBe listOf("k1", "k99")
    }

    @Test
    fun `after a drain all requests are answered and new ones rejected`() = runTest {
        val strategy = strategy(SingleSettings(maxConcurrent = 2))
        val callers = (1..30).map { async { strategy.reserve(request(it)) } }
        runCurrent()
        strategy.drain()
        callers.awaitAll().count { it is Answer.Granted } shouldBe 30
        strategy.reserve(request(200)).shouldBeInstanceOf<Answer.Busy>()
    }

    private fun TestScope.strategy(
        settings: SingleSettings = SingleSettings(),
        sell: suspend (SeatRequest) -> Answer = { ledger.grant(it.event, listOf(it)).single() },
    ) = SingleStrategy(settings, backgroundScope, clock = testScheduler.timeSource, sell = sell)

    private suspend fun SingleStrategy.together(count: Int): List<Answer> = coroutineScope {
        (1..count).map { n -> async { reserve(request(n)) } }.awaitAll()
    }

    private fun request(key: Int) = SeatRequest(EventId(1), IdempotencyKey.of("k$key")!!, Seats.of(1)!!)
}

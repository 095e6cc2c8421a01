package threadgauge.tickets.queue

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.InMemoryLedger

class QueueStrategyTest {
    private val ledger = InMemoryLedger(capacity = 100)
    private val queue = InMemoryQueue()

    @Test
    fun `exactly the capacity is granted, in batches`() = runTest {
        val answers = strategy(BatchSettings(maxBatch = 64)).together(150)
        answers.count { it is Answer.Granted } shouldBe 100
        answers.count { it is Answer.TooFewSeats } shouldBe 50
        queue.taken shouldContainExactly listOf(64, 64, 22)
        ledger.remaining shouldBe 0
    }

    @Test
    fun `a redelivered request is sold once, and its caller gets the answer`() = runTest {
        val strategy = strategy()
        queue.dropped = 5
        val callers = (1..10).map { async { strategy.reserve(request(it)) } }
        delay(100)
        queue.redeliver()
        callers.awaitAll().filterIsInstance<Answer.Granted>() shouldHaveSize 10
        ledger.reservations.values shouldHaveSize 10
    }

    @Test
    fun `without an answer in time the outcome is unknown, and a retry returns it`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 2.seconds))
        queue.dropped = 1
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        currentTime shouldBe 2_000
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>().isRepeat shouldBe true
    }

    @Test
    fun `while the ledger is down, requests stay in the queue`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.redeliver()
        delay(100)
        ledger.reservations.values shouldHaveSize 1
    }

    @Test
    fun `a request past its timeout is not served`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.redeliver(waited = 2.seconds)
        delay(100)
        ledger.reservations.values shouldHaveSize 0
    }

    @Test
    fun `a request from before a restart of the queue's store is not served`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.redeliver(isFromBeforeRestart = true)
        delay(100)
        ledger.reservations.values shouldHaveSize 0
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `a queue that fails with an unexpected exception is retried`() = runTest {
        val strategy = strategy()
        queue.failure = IllegalStateException("what is this?")
        delay(100)
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `while the queue is down outcomes are unknown, and then the sale goes on`() = runTest {
        val strategy = strategy()
        queue.isLost = true
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        delay(10.seconds)
        queue.isLost = false
        strategy.reserve(request(2)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `requests beyond the queue's limit are rejected at once`() = runTest {
        val answers = strategy(BatchSettings(maxQueued = 10)).together(25)
        answers.count { it is Answer.Granted } shouldBe 10
        answers.count { it is Answer.Busy } shouldBe 15
        currentTime shouldBe 1
    }

    @Test
    fun `after a drain all requests are answered and new ones rejected`() = runTest {
        val strategy = strategy()
        val callers = (1..30).map { async { strategy.reserve(request(it)) } }
        runCurrent()
        strategy.drain()
        callers.awaitAll().count { it is Answer.Granted } shouldBe 30
        strategy.reserve(request(200)).shouldBeInstanceOf<Answer.Busy>()
    }

    private fun TestScope.strategy(settings: BatchSettings = BatchSettings()) =
        QueueStrategy(queue, ledger, backgroundScope, settings, clock = testScheduler.timeSource)

    private suspend fun QueueStrategy.together(count: Int): List<Answer> = coroutineScope {
        (1..count).map { n -> async { reserve(request(n)) } }.awaitAll()
    }

    private fun request(key: Int) = SeatRequest(EventId(1), IdempotencyKey.of("k$key")!!, Seats.of(1)!!)
}

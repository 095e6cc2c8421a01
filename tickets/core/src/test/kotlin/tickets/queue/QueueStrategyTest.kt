package threadgauge.tickets.queue

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
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
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.InMemoryLedger
import java.io.IOException
import kotlin.time.Duration.Companion.seconds

class QueueStrategyTest {
    private val ledger = InMemoryLedger(capacity = 100)
    private val queue = InMemoryQueue()

    @Test
    fun `of more than there is exactly what there is is granted, in batches`() = runTest {
        val answers = strategy(BatchSettings(maxBatch = 64)).together(150)
        answers.count { it is Answer.Granted } shouldBe 100
        answers.count { it is Answer.TooFewSeats } shouldBe 50
        queue.taken shouldContainExactly listOf(64, 64, 22)
        ledger.remaining shouldBe 0
    }

    @Test
    fun `an ask that comes out of the queue a second time is sold once, and its caller has his answer`() = runTest {
        val strategy = strategy()
        queue.dropped = 5
        val callers = (1..10).map { async { strategy.reserve(request(it)) } }
        delay(100)
        queue.handOutAgain()
        callers.awaitAll().filterIsInstance<Answer.Granted>() shouldHaveSize 10
        ledger.reservations.values shouldHaveSize 10
    }

    @Test
    fun `who hears nothing in time is told that nobody knows, and learns it by asking again`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 2.seconds))
        queue.dropped = 1
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        currentTime shouldBe 2_000
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>().isRepeat shouldBe true
    }

    @Test
    fun `books that stay away leave the asks in the queue, for later`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.handOutAgain()
        delay(100)
        ledger.reservations.values shouldHaveSize 1
    }

    @Test
    fun `an ask whose caller has gone is served no more`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.handOutAgain(waited = 2.seconds)
        delay(100)
        ledger.reservations.values shouldHaveSize 0
    }

    @Test
    fun `an ask that the queue's memory has come back with is served no more`() = runTest {
        val strategy = strategy(BatchSettings(timeout = 1.seconds))
        ledger.onBegin = { throw IOException("no connection") }
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        ledger.onBegin = {}
        queue.handOutAgain(isFromBeforeRestart = true)
        delay(100)
        ledger.reservations.values shouldHaveSize 0
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `a queue that fails in a way that nobody foresaw is asked again`() = runTest {
        val strategy = strategy()
        queue.failure = IllegalStateException("what is this?")
        delay(100)
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `without its queue nobody knows anything, and with it the sale goes on`() = runTest {
        val strategy = strategy()
        queue.isLost = true
        strategy.reserve(request(1)) shouldBe Answer.Unknown
        delay(10.seconds)
        queue.isLost = false
        strategy.reserve(request(2)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `too many who wait are told to come back, at once`() = runTest {
        val answers = strategy(BatchSettings(maxQueued = 10)).together(25)
        answers.count { it is Answer.Granted } shouldBe 10
        answers.count { it is Answer.Busy } shouldBe 15
        currentTime shouldBe 1
    }

    @Test
    fun `drained, it has answered everybody and takes nobody new`() = runTest {
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

package threadgauge.tickets.batch

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
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
import threadgauge.tickets.sale.Ledger

class BatchStrategyTest {
    private val ledger = InMemoryLedger(capacity = 1_000)

    @Test
    fun `requests that arrive during a batch are granted in the next one`() = runTest {
        val strategy = strategy()
        val answers = strategy.together(300)
        answers.filterIsInstance<Answer.Granted>() shouldHaveSize 300
        // All are queued before the writer takes the first batch, and a batch has a maximum size.
        ledger.batches shouldContainExactly listOf(256, 44)
        currentTime shouldBe 2
    }

    @Test
    fun `a single request is granted without delay`() = runTest {
        strategy().reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
        currentTime shouldBe 1
    }

    @Test
    fun `exactly the capacity is granted`() = runTest {
        val answers = strategy().together(3_000)
        answers.count { it is Answer.Granted } shouldBe 1_000
        answers.count { it is Answer.TooFewSeats } shouldBe 2_000
        ledger.remaining shouldBe 0
    }

    @Test
    fun `a sold-out sale answers by reading, until seats are released`() = runTest {
        val strategy = strategy()
        strategy.together(1_001)
        val written = ledger.batches.size
        strategy.together(500, from = 2_000).all { it == Answer.TooFewSeats(0) } shouldBe true
        ledger.batches.size shouldBe written
        ledger.reads shouldBe 2
        // A retry of a granted request is not answered with sold out.
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>().isRepeat shouldBe true
        ledger.release(request(1).key)
        strategy.reserve(request(3_000)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `requests beyond the queue's limit are rejected at once`() = runTest {
        val strategy = strategy(BatchSettings(maxQueued = 100, maxBatch = 10))
        val answers = strategy.together(500)
        answers.count { it is Answer.Granted } shouldBe 100
        answers.filterIsInstance<Answer.Busy>() shouldHaveSize 400
        answers.filterIsInstance<Answer.Busy>().minOf { it.retryAfter } shouldBe 1.seconds
        ledger.reservations.size shouldBe 100
    }

    @Test
    fun `a ledger that fails for a while costs time and sells nothing twice`() = runTest {
        var failures = 3
        // Twice before any work, and once after the commit, when the outcome is unknown.
        ledger.onBegin = { if (failures > 1) { failures--; throw IOException("no connection") } }
        ledger.onCommitted = { if (failures == 1) { failures--; throw IOException("connection reset") } }
        val answers = strategy().together(50)
        answers.filterIsInstance<Answer.Granted>() shouldHaveSize 50
        ledger.reservations.size shouldBe 50
        currentTime shouldBe 20 + 40 + 1 + 80 + 1
    }

    @Test
    fun `while the ledger is down no request waits longer than the timeout`() = runTest {
        ledger.onBegin = { throw IOException("no connection") }
        val strategy = strategy(BatchSettings(maxBatch = 10, timeout = 2.seconds))
        val answers = strategy.together(100)
        answers.filterIsInstance<Answer.Unknown>() shouldHaveSize 10
        // The others were never attempted.
        answers.filterIsInstance<Answer.Busy>() shouldHaveSize 90
        currentTime shouldBe 2_000
        ledger.onBegin = {}
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `while the ledger hangs no request waits longer than twice the timeout, then it is used again`() = runTest {
        var hangs = true
        val hanging = object : Ledger by ledger {
            override suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer> {
                if (hangs) withContext(NonCancellable) { delay(60_000) }
                return ledger.grant(event, requests)
            }
        }
        val settings = BatchSettings(maxBatch = 10, timeout = 2.seconds)
        val strategy = BatchStrategy(hanging, backgroundScope, settings, clock = testScheduler.timeSource)
        // One every 10 ms, for three seconds.
        val answers = List(300) { n ->
            async {
                delay(10L * n)
                val began = currentTime
                val answer = strategy.reserve(request(n))
                answer to currentTime - began
            }
        }.awaitAll()
        answers.forEach { (_, waited) -> waited.toInt() shouldBeLessThanOrEqual 4_000 }
        answers.count { (answer, _) -> answer == Answer.Unknown } shouldBe 21
        answers.count { (answer, _) -> answer is Answer.Busy } shouldBe 279
        hangs = false
        strategy.reserve(request(1_000)).shouldBeInstanceOf<Answer.Granted>()
        ledger.reservations.size shouldBe 1
    }

    @Test
    fun `waiting requests are counted while the ledger is down`() = runTest {
        ledger.onBegin = { throw IOException("no connection") }
        val strategy = strategy(BatchSettings(maxBatch = 10))
        val callers = (1L..2L).flatMap { event -> List(50) { launch { strategy.reserve(request(it, event)) } } }
        runCurrent()
        // One batch of each event is being attempted.
        strategy.waiting shouldBe 80
        callers.forEach { it.cancel() }
    }

    @Test
    fun `a request that is cancelled while it waits takes no seats`() = runTest {
        val strategy = strategy(BatchSettings(maxBatch = 10))
        val callers = (1..50).map { launch { strategy.reserve(request(it)) } }
        runCurrent()
        callers.drop(10).forEach { it.cancelAndJoin() }
        strategy.reserve(request(99)).shouldBeInstanceOf<Answer.Granted>()
        ledger.reservations.keys.map { it.text } shouldContainExactly (1..10).map { "k$it" } + "k99"
    }

    @Test
    fun `an unknown event is answered as such and does not disturb others`() = runTest {
        val strategy = strategy()
        strategy.reserve(request(1, event = 7)) shouldBe Answer.NoSuchEvent
        strategy.reserve(request(1)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `after a drain all requests are answered and new ones rejected`() = runTest {
        val strategy = strategy(BatchSettings(maxBatch = 10))
        val callers = (1..100).map { async { strategy.reserve(request(it)) } }
        runCurrent()
        strategy.drain()
        callers.all { it.isCompleted || it.await() is Answer.Granted } shouldBe true
        callers.awaitAll().count { it is Answer.Granted } shouldBe 100
        strategy.reserve(request(200)).shouldBeInstanceOf<Answer.Busy>()
    }

    @Test
    fun `after a cancellation every request has an answer`() = runTest {
        val scope = CoroutineScope(coroutineContext + Job())
        val strategy = BatchStrategy(ledger, scope, BatchSettings(maxBatch = 10), clock = testScheduler.timeSource)
        val callers = (1..100).map { async { strategy.reserve(request(it)) } }
        runCurrent()
        scope.cancel()
        val answers = callers.awaitAll()
        answers.count { it == Answer.Unknown } shouldBe 10
        answers.count { it is Answer.Busy } shouldBe 90
        strategy.reserve(request(200)).shouldBeInstanceOf<Answer.Busy>()
    }

    @Test
    fun `on many real threads nothing is sold twice and every request is answered`() = runBlocking {
        val real = InMemoryLedger(capacity = 5_000, commit = 0.milliseconds)
        val job = Job()
        // Limits that a busy machine does not reach: no request may be rejected.
        val settings = BatchSettings(maxQueued = 20_000, timeout = 60.seconds)
        val strategy = BatchStrategy(real, CoroutineScope(Dispatchers.Default + job), settings)
        val answers = coroutineScope {
            (1..20_000).map { n ->
                async(Dispatchers.Default) {
                    if (n % 100 == 0) delay(1)
                    strategy.reserve(request(n % 15_000))
                }
            }.awaitAll()
        }
        answers.filterIsInstance<Answer.Granted>().map { it.reservation.id }.distinct().size shouldBe 5_000
        answers.all { it is Answer.Granted || it is Answer.TooFewSeats } shouldBe true
        real.remaining shouldBe 0
        real.batches.size shouldBeLessThan 5_000
        strategy.drain()
        job.cancel()
    }

    private fun TestScope.strategy(settings: BatchSettings = BatchSettings()) =
        BatchStrategy(ledger, backgroundScope, settings, clock = testScheduler.timeSource)

    private suspend fun BatchStrategy.together(count: Int, from: Int = 1): List<Answer> = coroutineScope {
        List(count) { n -> async { reserve(request(from + n)) } }.awaitAll()
    }

    private fun request(key: Int, event: Long = 1) =
        SeatRequest(EventId(event), IdempotencyKey.of("k$key")!!, Seats.of(1)!!)
}

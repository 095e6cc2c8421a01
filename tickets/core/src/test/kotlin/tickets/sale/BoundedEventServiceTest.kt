package threadgauge.tickets.sale

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation

class BoundedEventServiceTest {
    /** Each call takes 10 ms and returns the number of calls so far. */
    private class CountingService : EventService {
        var calls = 0
        var running = 0
        var maxRunning = 0
        var takesMillis = 10L
        var failure: Exception? = null

        private suspend fun <T> call(value: (Int) -> T): T = withContext(NonCancellable) {
            calls++
            running++
            maxRunning = maxOf(maxRunning, running)
            delay(takesMillis)
            running--
            failure?.let { throw it }
            value(calls)
        }

        override suspend fun open(name: String, capacity: Int, hold: Duration) = call { EventId(it.toLong()) }
        override suspend fun newest(limit: Int) = call { listOf(seen(EventId(1), it)) }
        override suspend fun event(id: EventId): Event? = call { seen(id, it).takeIf { id.number < 100 } }
        override suspend fun reservation(id: UUID): Reservation? = call { null }
        override suspend fun confirm(id: UUID): Ending? = call { null }
        override suspend fun release(id: UUID): Ending? = call { null }

        private fun seen(id: EventId, calls: Int) =
            Event(id, "noon", 100, 1.minutes, remaining = 100 - calls, held = calls, confirmed = 0)
    }

    private val service = CountingService()
    private val reservation = UUID(1, 2)

    @Test
    fun `a thousand concurrent reads of an event share two queries, each begun after the read`() = runTest {
        val bounded = bounded()
        val seen = List(1_000) { n ->
            async {
                if (n >= 500) delay(5)
                bounded.event(EventId(1))!!.held
            }
        }.awaitAll()
        service.calls shouldBe 2
        // A read that arrives during the first query does not get its result.
        seen.take(1) shouldBe listOf(1)
        seen.drop(500).distinct() shouldContainExactly listOf(2)
        bounded.event(EventId(1))!!.held shouldBe 3
    }

    @Test
    fun `each event has its own query, also one that does not exist`() = runTest {
        val bounded = bounded()
        bounded.event(EventId(1))!!.id shouldBe EventId(1)
        bounded.event(EventId(65))!!.id shouldBe EventId(65)
        bounded.event(EventId(1_000)) shouldBe null
        service.calls shouldBe 3
    }

    @Test
    fun `concurrent calls are limited, more wait, and the rest are rejected`() = runTest {
        val bounded = bounded(EventServiceSettings(maxConcurrent = 2, maxQueued = 10))
        val ends = List(20) { async { runCatching { bounded.confirm(reservation) } } }.awaitAll()
        service.maxRunning shouldBe 2
        ends.count { it.isSuccess } shouldBe 12
        val rejections = ends.mapNotNull { it.exceptionOrNull() }
        rejections.filterIsInstance<EventServiceBusy>().map { it.retryAfter } shouldContainExactly List(8) { 1.seconds }
        currentTime shouldBe 60
    }

    @Test
    fun `a confirmation does not wait behind reads`() = runTest {
        val bounded = bounded(EventServiceSettings(maxConcurrent = 2))
        val reads = List(1_000) { async { bounded.reservation(UUID(3, it.toLong())) } }
        delay(1)
        val began = currentTime
        bounded.confirm(reservation)
        currentTime - began shouldBe 10
        reads.awaitAll()
    }

    @Test
    fun `while the ledger hangs no call takes longer than twice the timeout`() = runTest {
        service.takesMillis = 60_000
        val bounded = bounded(EventServiceSettings(maxConcurrent = 2, timeout = 2.seconds))
        val waited = List(50) { n ->
            async {
                delay(100L * n)
                val began = currentTime
                val result = runCatching { if (n % 2 == 0) bounded.event(EventId(1)) else bounded.confirm(reservation) }
                val failure = result.exceptionOrNull()
                (failure is EventServiceBusy || failure is EventServiceTimeout) shouldBe true
                (currentTime - began).toInt()
            }
        }.awaitAll()
        waited.forEach { it shouldBeLessThanOrEqual 4_000 }
        // Calls that hang keep their permits: two reads and two writes.
        service.maxRunning shouldBe 4
    }

    @Test
    fun `a cancelled call still completes, and its permit is released when it ends`() = runTest {
        val bounded = bounded(EventServiceSettings(maxConcurrent = 1))
        val cancelled = List(5) { launch { bounded.confirm(reservation) } }
        delay(5)
        cancelled.forEach { it.cancel() }
        bounded.release(reservation) shouldBe null
        service.calls shouldBe 2
        service.running shouldBe 0
    }

    @Test
    fun `a failure reaches all who shared the query, and is not cached`() = runTest {
        service.failure = IOException("no ledger")
        val bounded = bounded()
        val failures = List(10) { async { runCatching { bounded.event(EventId(1)) }.exceptionOrNull() } }.awaitAll()
        failures.filterIsInstance<IOException>() shouldHaveSize 10
        service.calls shouldBeLessThanOrEqual 2
        shouldThrow<IOException> { bounded.release(reservation) }
        service.failure = null
        bounded.event(EventId(1))!!.id shouldBe EventId(1)
    }

    private fun TestScope.bounded(settings: EventServiceSettings = EventServiceSettings()) =
        BoundedEventService(service, CoroutineScope(backgroundScope.coroutineContext + SupervisorJob()), settings)
}

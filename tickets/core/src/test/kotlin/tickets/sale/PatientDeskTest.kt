package threadgauge.tickets.sale

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
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
import java.io.IOException
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class PatientDeskTest {
    /** Each look takes a hundredth of a second, and sees how many looks there were. */
    private class CountingDesk : Desk {
        var looks = 0
        var under = 0
        var most = 0
        var takesMillis = 10L
        var failure: Exception? = null

        private suspend fun <T> look(value: (Int) -> T): T = withContext(NonCancellable) {
            looks++
            under++
            most = maxOf(most, under)
            delay(takesMillis)
            under--
            failure?.let { throw it }
            value(looks)
        }

        override suspend fun open(name: String, capacity: Int, hold: Duration) = look { EventId(it.toLong()) }
        override suspend fun newest(most: Int) = look { listOf(seen(EventId(1), it)) }
        override suspend fun event(id: EventId): Event? = look { seen(id, it).takeIf { id.number < 100 } }
        override suspend fun reservation(id: UUID): Reservation? = look { null }
        override suspend fun confirm(id: UUID): Ending? = look { null }
        override suspend fun release(id: UUID): Ending? = look { null }
        private fun seen(id: EventId, looks: Int) = Event(id, "noon", 100, 1.minutes, remaining = 100 - looks, held = looks, confirmed = 0)
    }

    private val desk = CountingDesk()
    private val somebody = UUID(1, 2)

    @Test
    fun `a thousand who look at an event share two looks, each of which began after they asked`() = runTest {
        val patient = patient()
        val seen = List(1_000) { n ->
            async {
                if (n >= 500) delay(5)
                patient.event(EventId(1))!!.held
            }
        }.awaitAll()
        desk.looks shouldBe 2
        // Whoever asked while the first look was under way is not told what it saw.
        seen.take(1) shouldBe listOf(1)
        seen.drop(500).distinct() shouldContainExactly listOf(2)
        patient.event(EventId(1))!!.held shouldBe 3
    }

    @Test
    fun `different events are looked at each for itself, also one that is not there`() = runTest {
        val patient = patient()
        patient.event(EventId(1))!!.id shouldBe EventId(1)
        patient.event(EventId(65))!!.id shouldBe EventId(65)
        patient.event(EventId(1_000)) shouldBe null
        desk.looks shouldBe 3
    }

    @Test
    fun `so many are served at a time, more wait, and too many are told to come back`() = runTest {
        val patient = patient(DeskSettings(atOnce = 2, waitMost = 10))
        val ends = List(20) { async { runCatching { patient.confirm(somebody) } } }.awaitAll()
        desk.most shouldBe 2
        ends.count { it.isSuccess } shouldBe 12
        val refusals = ends.mapNotNull { it.exceptionOrNull() }
        refusals.filterIsInstance<DeskBusy>().map { it.retryAfter } shouldContainExactly List(8) { 1.seconds }
        currentTime shouldBe 60
    }

    @Test
    fun `however many look, who confirms has his turn at once`() = runTest {
        val patient = patient(DeskSettings(atOnce = 2))
        val looking = List(1_000) { async { patient.reservation(UUID(3, it.toLong())) } }
        delay(1)
        val began = currentTime
        patient.confirm(somebody)
        currentTime - began shouldBe 10
        looking.awaitAll()
    }

    @Test
    fun `books that stand still keep nobody waiting for longer than twice the patience`() = runTest {
        desk.takesMillis = 60_000
        val patient = patient(DeskSettings(atOnce = 2, patience = 2.seconds))
        val waited = List(50) { n ->
            async {
                delay(100L * n)
                val began = currentTime
                val failure = runCatching { if (n % 2 == 0) patient.event(EventId(1)) else patient.confirm(somebody) }.exceptionOrNull()
                (failure is DeskBusy || failure is DeskSilent) shouldBe true
                (currentTime - began).toInt()
            }
        }.awaitAll()
        waited.forEach { it shouldBeLessThanOrEqual 4_000 }
        // What hangs keeps its connection, and is not joined by more: two looks, and two ends.
        desk.most shouldBe 4
    }

    @Test
    fun `who goes away leaves his turn when it ends, and what he wanted is done`() = runTest {
        val patient = patient(DeskSettings(atOnce = 1))
        val gone = List(5) { launch { patient.confirm(somebody) } }
        delay(5)
        gone.forEach { it.cancel() }
        patient.release(somebody) shouldBe null
        desk.looks shouldBe 2
        desk.under shouldBe 0
    }

    @Test
    fun `a failure is told to those who shared the look, and is not remembered`() = runTest {
        desk.failure = IOException("no books")
        val patient = patient()
        val failures = List(10) { async { runCatching { patient.event(EventId(1)) }.exceptionOrNull() } }.awaitAll()
        failures.filterIsInstance<IOException>() shouldHaveSize 10
        desk.looks shouldBeLessThanOrEqual 2
        shouldThrow<IOException> { patient.release(somebody) }
        desk.failure = null
        patient.event(EventId(1))!!.id shouldBe EventId(1)
    }

    private fun TestScope.patient(settings: DeskSettings = DeskSettings()) =
        PatientDesk(desk, CoroutineScope(backgroundScope.coroutineContext + SupervisorJob()), settings)
}

package threadgauge.tickets.service.http

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.io.IOException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.EventId

class KnownEventsTest {
    /** Answers when [mayAnswer] is completed. */
    private class SlowService : OneEventService() {
        val mayAnswer = CompletableDeferred<Unit>()
        var queries = 0

        override suspend fun exists(id: EventId): Boolean {
            queries++
            mayAnswer.await()
            return super.exists(id)
        }
    }

    private val service = SlowService()
    private val events = KnownEvents(service)

    @Test
    fun `a thousand concurrent calls share one query`() = runBlocking<Unit> {
        val all = List(1_000) { async { events.find("1") } }
        yield()
        service.mayAnswer.complete(Unit)
        all.awaitAll().distinct() shouldContainExactly listOf(EventId(1))
        events.find("1") shouldBe EventId(1)
        service.queries shouldBe 1
    }

    @Test
    fun `an unknown event is queried again, because it may be opened later`() = runBlocking<Unit> {
        service.mayAnswer.complete(Unit)
        repeat(2) { events.find("2") shouldBe null }
        service.queries shouldBe 2
        listOf("0", "-1", "01", "x", "99999999999999999999").forEach { events.find(it) shouldBe null }
        service.queries shouldBe 2
    }

    @Test
    fun `a cancelled call does not affect others`() = runBlocking<Unit> {
        val first = launch { events.find("1") }
        yield()
        val second = async { events.find("1") }
        yield()
        val cancelling = launch { first.cancelAndJoin() }
        yield()
        service.mayAnswer.complete(Unit)
        second.await() shouldBe EventId(1)
        cancelling.join()
        // The second call has its own query.
        service.queries shouldBe 2
    }

    @Test
    fun `a failure reaches all concurrent calls and is not cached`() = runBlocking<Unit> {
        var isBroken = true
        val events = KnownEvents(object : OneEventService() {
            override suspend fun exists(id: EventId): Boolean {
                yield()
                return if (isBroken) throw IOException("no ledger") else super.exists(id)
            }
        })
        val all = List(3) { async { runCatching { events.find("1") } } }.awaitAll()
        all.map { it.exceptionOrNull()?.message } shouldContainExactly List(3) { "no ledger" }
        shouldThrow<IOException> { events.find("1") }
        isBroken = false
        events.find("1") shouldBe EventId(1)
    }
}

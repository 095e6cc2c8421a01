package threadgauge.tickets.service.http

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.EventId
import java.io.IOException

class KnownEventsTest {
    /** Answers when it is told to. */
    private class SlowService : OneEventService() {
        val goes = CompletableDeferred<Unit>()
        var looks = 0

        override suspend fun exists(id: EventId): Boolean {
            looks++
            goes.await()
            return super.exists(id)
        }
    }

    private val service = SlowService()
    private val events = KnownEvents(service)

    @Test
    fun `a thousand who come at once look once`() = runBlocking<Unit> {
        val all = List(1_000) { async { events.find("1") } }
        yield()
        service.goes.complete(Unit)
        all.awaitAll().distinct() shouldContainExactly listOf(EventId(1))
        events.find("1") shouldBe EventId(1)
        service.looks shouldBe 1
    }

    @Test
    fun `what is not there is looked for again, because it may be opened later`() = runBlocking<Unit> {
        service.goes.complete(Unit)
        repeat(2) { events.find("2") shouldBe null }
        service.looks shouldBe 2
        listOf("0", "-1", "01", "x", "99999999999999999999").forEach { events.find(it) shouldBe null }
        service.looks shouldBe 2
    }

    @Test
    fun `who goes away takes the answer from nobody`() = runBlocking<Unit> {
        val first = launch { events.find("1") }
        yield()
        val second = async { events.find("1") }
        yield()
        val leaving = launch { first.cancelAndJoin() }
        yield()
        service.goes.complete(Unit)
        second.await() shouldBe EventId(1)
        leaving.join()
        // The second looks for himself.
        service.looks shouldBe 2
    }

    @Test
    fun `a failure is told to all who waited, and is not remembered`() = runBlocking<Unit> {
        var isBroken = true
        val events = KnownEvents(object : OneEventService() {
            override suspend fun exists(id: EventId): Boolean {
                yield()
                return if (isBroken) throw IOException("no books") else super.exists(id)
            }
        })
        val all = List(3) { async { runCatching { events.find("1") } } }.awaitAll()
        all.map { it.exceptionOrNull()?.message } shouldContainExactly List(3) { "no books" }
        shouldThrow<IOException> { events.find("1") }
        isBroken = false
        events.find("1") shouldBe EventId(1)
    }
}

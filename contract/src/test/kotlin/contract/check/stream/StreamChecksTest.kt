package threadgauge.contract.check.stream

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.contract.HttpContract
import threadgauge.contract.client.Access
import threadgauge.contract.example.ExampleServer
import threadgauge.contract.example.Reply

/** Each way to send a stream wrongly is found. */
@Tag("processes")
class StreamChecksTest {
    @Test
    fun `a correct stream breaks no rule`() = against({ it }) { it.shouldBeEmpty() }

    @Test
    fun `an event too few is found`() = against({ it.copy(body = it.body.removeSuffix("data:3\n\n")) }) {
        it.first() shouldContain "expected the events 0, 1, 2, 3, got 0, 1, 2"
    }

    @Test
    fun `an event that is not ended is none`() = against({ it.copy(body = it.body.dropLast(1)) }) {
        it.first() shouldContain "expected the events 0, got"
    }

    @Test
    fun `events that come too early are found`() = against({ it.copy(pauseMillis = 0) }) {
        sentence(it.first()) shouldBe "$EVENTS waits before each event as long as its path says"
    }

    @Test
    fun `events that wait for the last one are found, however late the client is`() = against({
        it.copy(pieces = it.body.length, pauseMillis = it.pauseMillis * it.body.count { byte -> byte == ':' })
    }) {
        it.map(::sentence) shouldContainExactly
            listOf("$EVENTS sends each event when it is due, and not all together at the end")
    }

    @Test
    fun `another type is found`() = against({ it.copy(type = "text/plain") }) {
        it.first() shouldContain "expected content type text/event-stream, got text/plain"
    }

    @Test
    fun `events are read as the standard says`() {
        eventsOf("data:0\n\ndata: 1\r\n\r\ndata:2\r\r") shouldBe listOf("0", "1", "2")
        eventsOf(": a comment\n\nid: 7\n\n") shouldBe emptyList()
        eventsOf("event: tick\ndata: a\ndata: b\n\n") shouldBe listOf("a\nb")
        eventsOf("data: a\n") shouldBe emptyList()
    }

    private fun sentence(violation: String) = violation.substringBefore(": ")

    /** Streams as [sabotage] makes them; whatever is rejected stays as it is. */
    private fun against(sabotage: (Reply) -> Reply, verify: (List<String>) -> Unit) =
        ExampleServer(sabotage = { exchange, right ->
            right().let {
                val isStream = exchange.requestURI.path.startsWith("$EVENTS/") && it.status == 200
                if (isStream) sabotage(it) else it
            }
        }).use { server ->
            val access = Access(server.base)
            val paths = setOf("$EVENTS/1/1")
            HttpContract.violations(access, "example", "VIRTUAL_THREADS", paths).let { withClue(it) { verify(it) } }
        }
}

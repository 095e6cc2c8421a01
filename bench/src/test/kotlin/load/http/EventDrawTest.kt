package threadgauge.load.http

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.math.abs
import kotlin.math.sqrt
import org.junit.jupiter.api.Test
import threadgauge.load.http.http1.Http1Request
import threadgauge.load.http.http2.Http2Request
import threadgauge.model.EventsOnSale
import threadgauge.model.request.Request

class EventDrawTest {
    private val twenty = (101L..120L).toList()

    @Test
    fun `the first event gets its share, and the others the same of the rest`() {
        for (hot in listOf(0.05, 0.5, 0.9)) {
            val drawn = drawn(EventsOnSale(twenty, hot))
            drawn.getValue(101) shouldBeWithinChance hot
            for (event in twenty.drop(1)) drawn.getValue(event) shouldBeWithinChance (1 - hot) / 19
        }
    }

    @Test
    fun `by default all events are equally likely`() {
        val drawn = drawn(EventsOnSale(twenty))
        for (event in twenty) drawn.getValue(event) shouldBeWithinChance 1.0 / 20
        // Counts that are too even are not random: of twenty, some are further from the mean than half a standard
        // deviation.
        drawn.values.count { abs(deviations(it, 1.0 / 20)) > 0.5 } shouldBeGreaterThan 4
    }

    @Test
    fun `an event with the whole hot share leaves nothing to the others`() {
        drawn(EventsOnSale(twenty, hot = 1.0)) shouldBe mapOf(101L to DRAWS)
    }

    @Test
    fun `all of a thousand events are drawn`() {
        drawn(EventsOnSale((1L..1000L).toList(), hot = 0.5)).size shouldBe 1000
    }

    @Test
    fun `a number draws the same event at any time, and another seed draws others`() {
        fun first(seed: Long): List<String> {
            val draw = EventDraw(EventsOnSale(twenty, hot = 0.5), seed)
            return List(12) { draw.of(it.toLong()).decodeToString() }
        }
        first(seed = 1) shouldContainExactly FIRST_TWELVE
        (first(seed = 2) == FIRST_TWELVE) shouldBe false
    }

    @Test
    fun `path, headers and body of one request name the same event`() {
        val request = Request(
            "POST", "/{1..9}/events/{event}", mapOf(
                "X-Trace" to "{random:8}", "Idempotency-Key" to "{event}-{random:24}",
            ),
            "{seq} of {event} of {event}", events = EventsOnSale(twenty, hot = 0.5),
        )
        val http1 = Http1Request(request, "localhost:1", closes = false, seed = 7)
        val http2 = Http2Request(request, "localhost:1", "http", seed = 7)
        for (number in 0L..<500) {
            val filled = rendered(request, number, seed = 7)
            val event = filled.path.substringAfterLast('/')
            filled.headers.getValue("Idempotency-Key").substringBefore('-') shouldBe event
            filled.body shouldBe "$number of $event of $event"
            val bytes =
                http1.bytes(number, null).let { buffer -> buffer.toString(Charsets.US_ASCII).also { buffer.release() } }
            NAMED.findAll(bytes).map { it.groupValues[1] }.toList() shouldBe List(4) { event }
            val headers = http2.headers(number)
            headers.path().toString().substringAfterLast('/') shouldBe event
            headers["idempotency-key"].toString().substringBefore('-') shouldBe event
            http2.body(number)
                .let { buffer -> buffer.toString(Charsets.US_ASCII).also { buffer.release() } } shouldBe filled.body
        }
        http1.close()
    }

    private fun drawn(events: EventsOnSale): Map<Long, Int> = EventDraw(events, seed = 1).let { draw ->
        (0..<DRAWS).groupingBy { draw.of(it.toLong()).decodeToString().toLong() }.eachCount()
    }

    /**
     * Five standard deviations of a binomial distribution: one count in two million is further away. The seed is
     * fixed, so the counts never change.
     */
    private infix fun Int.shouldBeWithinChance(share: Double) = abs(deviations(this, share)) shouldBeLessThan 5.0

    private fun deviations(count: Int, share: Double) = (count - DRAWS * share) / sqrt(DRAWS * share * (1 - share))

    private companion object {
        const val DRAWS = 100_000
        val NAMED = Regex("(?:/events/|Idempotency-Key: | of )([0-9]+)")
        val FIRST_TWELVE = listOf("109", "101", "101", "114", "101", "101", "115", "101", "101", "101", "101", "101")
    }
}

/** [request] with its placeholders filled in for request number [number] of a load. */
private fun rendered(request: Request, number: Long, seed: Long): Request {
    fun filled(template: String): String {
        val sink = ByteSink()
        Rendering(template, request, seed).render(number, sink)
        return String(sink.bytes, 0, sink.length)
    }
    return request.copy(
        path = filled(request.path),
        headers = request.headers.mapValues { filled(it.value) },
        body = request.body?.let(::filled),
    )
}

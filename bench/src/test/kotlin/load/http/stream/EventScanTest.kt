package threadgauge.load.http.stream

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Cases of the HTML Living Standard, section 9.2.6. */
class EventScanTest {
    private fun events(text: String): Int = text.toByteArray().let { EventScan().feed(it, 0, it.size) }

    @Test
    fun `a blank line ends an event, whatever its lines end with`() {
        events("data: a\n\ndata: b\n\n") shouldBe 2
        events("data: a\r\n\r\ndata: b\r\n\r\n") shouldBe 2
        events("data: a\r\rdata: b\r\r") shouldBe 2
        events("data: a\r\n\ndata: b\n\r\n") shouldBe 2
    }

    @Test
    fun `several lines are one event, and an empty field is data, too`() {
        events("id: 7\nevent: tick\ndata: a\ndata: b\n\n") shouldBe 1
        events("data\n\n") shouldBe 1
        events("data:\n\n") shouldBe 1
    }

    @Test
    fun `comments, other fields and what is not complete are no events`() {
        events(": keeps the connection alive\n\n") shouldBe 0
        events("event: tick\nid: 7\n\n") shouldBe 0
        events("database: a\n\n") shouldBe 0
        events("\n\n\n") shouldBe 0
        events("data: a\n") shouldBe 0
    }

    @Test
    fun `a byte-order mark precedes the first line`() {
        events("\uFEFFdata: a\n\n") shouldBe 1
    }

    @Test
    fun `the result does not depend on where pieces are cut`() {
        val bytes = "\uFEFFid: 1\r\ndata: a\r\n\r\n: b\n\ndata: c\n\nevent: d\rdata: e\r\r".toByteArray()
        for (first in 0..bytes.size) {
            for (second in first..bytes.size) {
                val scan = EventScan()
                val events = scan.feed(bytes, 0, first) + scan.feed(bytes, first, second - first) +
                    scan.feed(bytes, second, bytes.size - second)
                events shouldBe 3
            }
        }
    }

    @Test
    fun `after clear a new body begins`() {
        val scan = EventScan()
        "data: a\n".toByteArray().let { scan.feed(it, 0, it.size) shouldBe 0 }
        scan.clear()
        "\n".toByteArray().let { scan.feed(it, 0, it.size) shouldBe 0 }
    }
}

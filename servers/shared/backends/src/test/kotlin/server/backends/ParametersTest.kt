package threadgauge.server.backends

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.server.work.BadRequest

class ParametersTest {
    @Test
    fun `by default a page takes a second and makes no call`() {
        val page = UserPage.parse("7", null, null)
        Triple(page.id, page.millis, page.isFromUpstream) shouldBe Triple(7, 1_000L, false)
        page.part shouldBe "result7"
        UserPage.parse("1000000", "60000", "upstream").isFromUpstream shouldBe true
    }

    @Test
    fun `the first invalid parameter of a page is reported`() {
        detail { UserPage.parse("0", "x", "y") } shouldBe "id must be a whole number from 1 to 1000000"
        detail { UserPage.parse("1", "60001", "y") } shouldBe "ms must be a whole number from 0 to 60000"
        detail { UserPage.parse("1", "0", "Upstream") } shouldBe "from must be upstream, or be left out"
    }

    @Test
    fun `a page is valid JSON whatever the upstream answers`() {
        UserPage.answer("a", "\"b\"") shouldBe """{"user":"a","orders":"\"b\""}"""
    }

    @Test
    fun `by default there are ten calls on ten threads`() {
        val (strategy, calls) = fanOut.parse("sequential", "1000", null, null)
        strategy.shouldBeInstanceOf<Strategy.Blocking>()
        Triple(calls.millis, calls.count, calls.threads) shouldBe Triple(1_000L, 10, 10)
        fanOut.parse("webclient", "0", "100", "256").second.let { it.count to it.threads } shouldBe (100 to 256)
    }

    @Test
    fun `the first invalid parameter of a fan-out is reported`() {
        detail { fanOut.parse("none", "x", "0", "0") } shouldBe
            "strategy must be one of sequential, executor, coroutine, coroutine-leak, webclient, " +
            "webclient-coroutine, virtual"
        detail { fanOut.parse("virtual", "x", "0", "0") } shouldBe "ms must be a whole number from 0 to 60000"
        detail { fanOut.parse("virtual", "0", "101", "0") } shouldBe "calls must be a whole number from 1 to 100"
        detail { fanOut.parse("virtual", "0", "1", "257") } shouldBe "n must be a whole number from 1 to 256"
    }

    /** No call is made. A stack starts without an address, because not every run has a backend. */
    private val fanOut = FanOut("")

    private fun detail(parsing: () -> Unit) = shouldThrow<BadRequest> { parsing() }.message
}

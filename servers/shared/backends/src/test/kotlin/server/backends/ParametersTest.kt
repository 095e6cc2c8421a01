package threadgauge.server.backends

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.server.work.BadRequest

class ParametersTest {
    @Test
    fun `a page takes a second and asks nobody unless told otherwise`() {
        val page = UserPage.asked("7", null, null)
        Triple(page.id, page.millis, page.isFromUpstream) shouldBe Triple(7, 1_000L, false)
        page.part shouldBe "result7"
        UserPage.asked("1000000", "60000", "upstream").isFromUpstream shouldBe true
    }

    @Test
    fun `a page's mistakes are named, the first one only`() {
        detail { UserPage.asked("0", "x", "y") } shouldBe "id must be a whole number from 1 to 1000000"
        detail { UserPage.asked("1", "60001", "y") } shouldBe "ms must be a whole number from 0 to 60000"
        detail { UserPage.asked("1", "0", "Upstream") } shouldBe "from must be upstream, or be left out"
    }

    @Test
    fun `a page is written as JSON whatever the upstream says`() {
        UserPage.answer("a", "\"b\"") shouldBe """{"user":"a","orders":"\"b\""}"""
    }

    @Test
    fun `there are ten calls on ten threads unless told otherwise`() {
        val (strategy, calls) = fanOut.asked("sequential", "1000", null, null)
        strategy.shouldBeInstanceOf<Strategy.Blocking>()
        Triple(calls.millis, calls.count, calls.threads) shouldBe Triple(1_000L, 10, 10)
        fanOut.asked("webclient", "0", "100", "256").second.let { it.count to it.threads } shouldBe (100 to 256)
    }

    @Test
    fun `a fan-out's mistakes are named, the first one only`() {
        detail { fanOut.asked("none", "x", "0", "0") } shouldBe
            "strategy must be one of sequential, executor, coroutine, coroutine-leak, webclient, webclient-coroutine, virtual"
        detail { fanOut.asked("virtual", "x", "0", "0") } shouldBe "ms must be a whole number from 0 to 60000"
        detail { fanOut.asked("virtual", "0", "101", "0") } shouldBe "calls must be a whole number from 1 to 100"
        detail { fanOut.asked("virtual", "0", "1", "257") } shouldBe "n must be a whole number from 1 to 256"
    }

    /** Nobody is called. An address that is missing is no reason not to start: not every run has a backend. */
    private val fanOut = FanOut("")

    private fun detail(asking: () -> Unit) = shouldThrow<BadRequest> { asking() }.message
}

package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveAtMostSize
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Running
import threadgauge.model.profile.SeenThreads
import threadgauge.model.profile.ThreadGroup
import threadgauge.model.profile.WaitCause
import threadgauge.model.profile.Waits

class ProfileListsTest {
    private val traces = TraceTable()

    @Test
    fun `waits for many clients at one place are one row`() {
        val reads = (1..20).map { wait(WaitCause.SOCKET_READ, "10.0.0.7:$it", trace(1), 2.0) } +
            wait(WaitCause.SOCKET_READ, "db:5432", trace(2), 50.0)
        ProfileLists(traces, reads, emptyList(), emptyList()).waits.map { Triple(it.on, it.count, it.millis) }
            .shouldContainExactly(listOf(Triple("db:5432", 1L, 50.0), Triple("10.0.0.7:*", 20L, 40.0)))
    }

    @Test
    fun `what is left out is in a row without a place, so that sums stay`() {
        val lines = (1..500).reversed()
        val waits = lines.map { wait(WaitCause.SLEEP, null, trace(it), it.toDouble()) }
        val running = lines.map { Running("a", false, trace(it), it.toLong()) }
        val seen = lines.map { SeenThreads("a", false, "WAITING", trace(it), it.toDouble()) }
        val lists = ProfileLists(traces, waits, running, seen)
        lists.waits shouldHaveAtMostSize 100
        lists.waits.sumOf { it.millis } shouldBe waits.sumOf { it.millis }
        lists.waits.count { it.trace == null } shouldBe 1
        lists.running shouldHaveAtMostSize 101
        lists.running.sumOf { it.samples } shouldBe running.sumOf { it.samples }
        lists.seen.first().mean shouldBe 500.0
        lists.traces shouldHaveAtMostSize 250
        lists.traces[lists.seen.first().trace].frames.single().line shouldBe 500
    }

    @Test
    fun `groups beyond what a record holds are one group`() {
        val groups = (1..100).map { ThreadGroup("group $it", 1, 100.0 - it, 1.0) }
        val cut = cutGroups(groups)
        cut shouldHaveAtMostSize 61
        cut.sumOf { it.cpuMillis } shouldBe groups.sumOf { it.cpuMillis }
        cut.last().count shouldBe 40
    }

    private fun trace(line: Int) = traces.indexOf(listOf(Frame("shop.Shop", "sell", line, "Shop.kt")))!!

    private fun wait(cause: WaitCause, on: String?, trace: Int, millis: Double) =
        Waits(cause, "a", false, trace, 1, millis, on)
}

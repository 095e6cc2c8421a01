package threadgauge.probe.profile.pool

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind

class OutgoingCountsTest {
    @Test
    fun `the mean of all readings counts, also of those without a connection`() {
        val readings = mutableListOf(mapOf("db:1" to 10, "a:80" to 2), mapOf("db:1" to 20), mapOf("db:1" to 30))
        val counts = OutgoingCounts { readings.removeFirst() }
        counts.pools().shouldBeEmpty()
        // One of three looks counts.
        repeat(9) { counts.read() }
        counts.pools().map { it.name to it.busy } shouldContainExactly listOf("db:1" to 20.0, "a:80" to 2.0 / 3)
        counts.pools().first() shouldBe Pool("db:1", PoolKind.OUTGOING, busy = 20.0)
    }

    @Test
    fun `a crawler's thousand ends leave those with the most connections`() {
        val counts = OutgoingCounts { (1..1_000).associate { "host$it:443" to it } }
        counts.read()
        counts.pools().map { it.busy } shouldContainExactly listOf(1_000.0, 999.0, 998.0, 997.0, 996.0)
    }
}

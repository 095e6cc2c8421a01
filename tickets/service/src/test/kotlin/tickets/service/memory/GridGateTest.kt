package threadgauge.tickets.service.memory

import io.kotest.matchers.shouldBe
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.gate.GateDecision
import threadgauge.tickets.rules.EventId

/** Three services on this machine: two with the same ledger, and one with another. */
@Tag("processes")
class GridGateTest {
    @Test
    fun `members of one sale share a count, which survives the member that held it`() = runBlocking<Unit> {
        val (one, other, outsider) = listOf("a", "a", "b").map { SharedGrid(listOf("127.0.0.1"), "sale-$it") }
        try {
            val event = EventId(7)
            one.gate.enter(event, 1) shouldBe GateDecision.NOT_KNOWN
            one.gate.correct(event, 100)
            other.gate.enter(event, 1) shouldBe GateDecision.IN
            outsider.gate.enter(event, 1) shouldBe GateDecision.NOT_KNOWN
            one.gate.giveBack(event, 1)
            val entries = coroutineScope {
                List(300) {
                    async(Dispatchers.Default) { (if (it % 2 == 0) one else other).gate.enter(event, 1) }
                }.awaitAll()
            }
            entries.count { it == GateDecision.IN } shouldBe 100
            entries.count { it == GateDecision.TOO_FEW } shouldBe 200
            other.gate.giveBack(event, 3)
            one.close()
            other.gate.enter(event, 4) shouldBe GateDecision.TOO_FEW
            other.gate.enter(event, 3) shouldBe GateDecision.IN
        } finally {
            listOf(one, other, outsider).forEach { it.close() }
        }
    }
}

package threadgauge.wording.machine

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.LatencyReach
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.Severity

class ReachWordsTest {
    private val reach = Reach(
        agentPerSecond = 119_900.0, agentCpuMicrosPerRequest = 8.0, soundPerSecond = 59_950.0, maxPerSecond = 83_930.0,
        latencies = listOf(LatencyReach(1_000.0, 870.0), LatencyReach(5_000.0, 23_100.0)),
        connectionsOfAgent = 824, connectionsOfTarget = 19_844, smallestDifference = 0.0146, rounds = 5,
    )

    @Test
    fun `bounds have two digits, and limits are rounded down`() {
        reach.words() shouldContainExactly listOf(
            "throughput" to "Up to about 60,000 requests per second, 50 % of the load agent's maximum. " +
                "From there to 84,000 (70 %) figures carry a doubt. Above that they are invalid.",
            "latency" to "From about 870 µs at 1,000/s, from about 23 ms at 5,000/s. " +
                "Delays of the load agent distort shorter latencies.",
            "differences" to "From about 1.5 % between two stacks with 5 trials each, at best. " +
                "Smaller differences are lost in the noise.",
            "connections" to "From one load agent up to 824, to one server process up to 19,800.",
        )
    }

    @Test
    fun `what is not known is left out`() {
        Reach(null, null, null, null, emptyList(), null, null, null, rounds = 0).words().shouldBeEmpty()
        reach.copy(connectionsOfAgent = null).words().last().second shouldBe "To one server process up to 19,800."
    }

    @Test
    fun `the answer counts problems and notes`() {
        fun words(vararg severities: Severity): String {
            val findings = severities.map { Finding(FindingId.SWAP, it, FindingFact.Swap(0)) }
            val words = Diagnosis(Severity.PROBLEM !in severities, reach, findings).words()
            return "${words.verdict} ${words.rest}"
        }
        words(Severity.FINE) shouldBe "This machine is fit to measure. No problem was found."
        words(Severity.NOTE, Severity.NOTE) shouldBe "This machine is fit to measure, with 2 notes, see below."
        words(Severity.PROBLEM, Severity.NOTE) shouldBe
            "This machine is not fit to measure now: 1 problem and 1 note, see below."
    }
}

package threadgauge.judge.verdict

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.claim.verdict
import threadgauge.judge.compare.ratio
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.Verdict
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords

/**
 * `a` and `b` are baselines. `a+tls` serves half of what `a` does for twice the processor time; the others are as their
 * baselines.
 */
class BesideBaselinesTest {
    private val baselines = mapOf("a+tls" to "a", "a+gzip" to "a", "b+tls" to "b")
    private val record = recordOf(
        mapOf(
            "a" to around(10_000.0), "a+tls" to around(5_000.0), "a+gzip" to around(10_000.0),
            "b" to around(40_000.0), "b+tls" to around(40_000.0),
        ),
        cpuMicros = mapOf("a+tls" to 100.0),
    )

    private fun around(perSecond: Double, spread: Double = 0.003) =
        listOf(1 - spread, 1.0, 1 + spread).map { it * perSecond }

    private fun Record.beside(baselines: Map<String, String> = this@BesideBaselinesTest.baselines) =
        copy(plan = plan.copy(experiment = plan.experiment.copy(baselines = baselines)))

    @Test
    fun `each stack is compared with its baseline, by every figure, and with nothing else`() {
        val judged = judge(record.beside()).situations.single()
        judged.comparisons.map { it.stack to it.other } shouldContainExactly baselines.toList()
        judged.otherComparisons.map { it.stack to it.other }.toSet() shouldBe baselines.toList().toSet()
    }

    @Test
    fun `three comparisons share the confidence, and not ten, so that more can be told`() {
        val close = recordOf(
            record.plan.stacks.associate {
                it.name to around(if (it.name == "a+gzip") 8_650.0 else 10_000.0, spread = 0.03)
            },
        )
        fun gzip(record: Record): Comparison = judge(record).situations.single().comparisons.ratio("a+gzip", "a")!!
        val (beside, amongAll) = gzip(close.beside()) to gzip(close)
        beside.ratio shouldBe (amongAll.ratio plusOrMinus 1e-9)
        beside.high!! - beside.low!! shouldBeLessThan amongAll.high!! - amongAll.low!!
        amongAll.outcome shouldBe ComparisonOutcome.CANNOT_TELL
        beside.outcome shouldBe ComparisonOutcome.LESS
    }

    @Test
    fun `it is told what costs how much, and not who serves most`() {
        val judgement = judge(record.beside())
        judgement.situations.single().verdict.shouldBeInstanceOf<Verdict.BesideBaselines>()
        val words = judgement.situations.single().verdictWords()
        words shouldContain "For requests that are examples, compared with a: less throughput with +tls 0.50 times (0."
        words shouldContain "; more CPU per request with +tls 2.00 times ("
        words shouldContain "; the same throughput with +gzip. Compared with b: the same throughput with +tls."
        words shouldNotContain "highest throughput"
        judgement.answer.single() shouldBe
            "For requests that are examples, compared with a: less throughput with +tls (0.50 times), " +
            "more CPU per request with +tls (2.00 times); compared with b: no cost found for +tls."
    }

    @Test
    fun `of several that cost something the worst is named, and how many there are`() {
        val stacks = (1..8).associate { "a+x$it" to around(10_000.0 / (1 + it)) }
        val judgement =
            judge(recordOf(mapOf("a" to around(10_000.0)) + stacks).beside(stacks.keys.associateWith { "a" }))
        judgement.answer.single() shouldContain
            "compared with a: less throughput with 8 of 8, the most with +x8 (0.11 times)"
        judgement.situations.single().verdictWords() shouldContain " and 5 more"
    }

    @Test
    fun `where a baseline has no valid figure, it is said that nothing could be compared`() {
        val failed = record.copy(trials = record.trials.filter { it.stack != "b" })
        val words = judge(failed.beside()).situations.single().verdictWords()
        words shouldContain "Compared with b: nothing could be compared."
        words shouldContain "compared with a: less throughput with +tls"
    }

    @Test
    fun `a first look has no costs, and loads of one request make no range`() {
        val first = recordOf(mapOf("a" to listOf(10.0), "a+tls" to listOf(5.0))).beside(mapOf("a+tls" to "a"))
        judge(first).situations.single().verdict.shouldBeInstanceOf<Verdict.Indicative>()
        judge(record.beside()).ranges.size shouldBe 0
    }

    @Test
    fun `what stands at a ceiling of a setting is named`() {
        val held = recordOf(
            mapOf("a" to around(3_960.0), "a+pool" to around(1_985.0)),
            path = "/delay/100", users = 400, limits = mapOf("a+pool" to 200),
        )
        judge(held.beside(mapOf("a+pool" to "a"))).situations.single().verdictWords() shouldContain
            "A limit, not the model, sets the throughput of a and a+pool: "
    }
}

package threadgauge.plan

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Think
import threadgauge.model.plan.RoundsRule
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step
import threadgauge.model.request.Stream

class SlicingTest {
    private val rule = RoundsRule(sliceNanos = SECOND, leadInNanos = SECOND / 5)

    @Test
    fun `quick requests have the shortest slices, and together the length of the load`() {
        one(users(10), 5_000_000) shouldBe Slicing(10, SECOND, SECOND / 5)
    }

    @Test
    fun `slow requests have slices of twenty times their latency, in whole seconds, after a longer lead-in`() {
        one(users(10), 105_000_000) shouldBe Slicing(3, 3 * SECOND, 210_000_000)
    }

    @Test
    fun `a load too short for two slices is one, with a lead-in`() {
        one(users(10), SECOND) shouldBe Slicing(1, 10 * SECOND, 2 * SECOND)
    }

    @Test
    fun `a fast stack has short slices beside a slow one, which has fewer and longer ones`() {
        slicingsOf(asked(users(12)), rule, listOf(5_000_000, 105_000_000, SECOND)) shouldContainExactly listOf(
            Slicing(12, SECOND, SECOND / 5),
            Slicing(12, 4 * SECOND, 210_000_000, stride = 4),
            Slicing(12, 12 * SECOND, 2 * SECOND, stride = 12),
        )
        runBlocking {
            val latencies = Arb.list(Arb.long(0L..2 * SECOND), 1..5)
            checkAll(Arb.int(1..60), latencies, Arb.int(1..40)) { seconds, typical, more ->
                val slicings = slicingsOf(asked(users(seconds)), rule, typical)
                val parts = slicings.first().parts
                slicings.map { it.parts }.distinct() shouldBe listOf(parts)
                val rounds = parts + more
                val inRounds = slicings.map { slicing -> (1..rounds).filter { slicing.isIn(it, rounds) }.toSet() }
                inRounds.forEachIndexed { index, its ->
                    (its.size * slicings[index].sliceNanos <= seconds * SECOND) shouldBe true
                    (1 in its) shouldBe true
                    inRounds.forEachIndexed { other, others ->
                        if (typical[other] <= typical[index]) (its - others) shouldBe emptySet()
                    }
                }
            }
        }
    }

    @Test
    fun `what changes over time, or ends with its last request, is measured whole`() {
        listOf(
            Load.Ramp(1.0, 2.0, 10 * SECOND), Load.Burst(5), Load.Loops(5, 5),
            Load.Steps(listOf(Load.Rate(1.0, SECOND))),
            Load.Users(5, 10 * SECOND, rampInNanos = SECOND),
        ).forEach { load ->
            val slicing = one(load, 0)
            slicing shouldBe Slicing(1)
            slicing.load(load, 3) shouldBe load
        }
    }

    @Test
    fun `a part is the load for a shorter time, with arrivals of its own`() {
        val slicing = Slicing(10, SECOND, SECOND / 5)
        slicing.load(Load.Rate(50.0, 10 * SECOND), 3) shouldBe Load.Rate(50.0, SECOND * 6 / 5)
        val poisson = Load.Poisson(50.0, 10 * SECOND, seed = 7)
        slicing.load(poisson, 3) shouldNotBe slicing.load(poisson, 4)
        slicing.load(poisson, 3) shouldNotBe slicing.load(poisson.copy(seed = 8), 3)
    }

    @Test
    fun `parts are spread evenly over the rounds`() {
        fun rounds(parts: Int, of: Int) = (1..of).filter { Slicing(parts).isIn(it, of) }
        rounds(1, 10) shouldContainExactly listOf(1)
        rounds(3, 9) shouldContainExactly listOf(1, 4, 7)
        rounds(9, 9) shouldContainExactly (1..9).toList()
        runBlocking {
            checkAll(Arb.int(1..200), Arb.int(1..200)) { a, b ->
                val (parts, of) = minOf(a, b) to maxOf(a, b)
                val its = rounds(parts, of)
                its.size shouldBe parts
                its.first() shouldBe 1
                (its + (of + 1)).zipWithNext { x, y -> (y - x).shouldBeInRange(of / parts..(of + parts - 1) / parts) }
            }
        }
    }

    @Test
    fun `more or fewer rounds keep the shares of the situations, and leave none out`() {
        Slicing(8, SECOND).scaled(rounds = 16, planned = 8).parts shouldBe 16
        Slicing(2, SECOND).scaled(rounds = 16, planned = 8).parts shouldBe 4
        Slicing(1, SECOND).scaled(rounds = 5, planned = 8).parts shouldBe 1
        Slicing(1).scaled(rounds = 80, planned = 8).parts shouldBe 1
    }

    @Test
    fun `slices hold five passes of the longest scenario, after a lead-in of one`() {
        val page = Step("page", Request(path = "/"), think = Think(SECOND / 10, SECOND / 2))
        val browse = Scenario("browse", 3.0, listOf(page))
        val buy = Scenario("buy", 1.0, listOf(page, Step("pay", Request(path = "/pay"))), order = listOf(0, 0, 1))
        fun cut(seconds: Int, typical: Long) =
            slicingsOf(asked(users(seconds)).copy(scenarios = listOf(browse, buy)), rule, listOf(typical)).single()
        // Two pauses of at most half a second and three answers: 1.03 s, of which five take 5.15 s.
        cut(30, 10_000_000) shouldBe Slicing(5, 6 * SECOND, SECOND + 30_000_000)
        cut(11, 10_000_000) shouldBe Slicing(1, 11 * SECOND, SECOND + 30_000_000)
        // Without pauses the latency decides, as ever.
        slicingsOf(
            asked(users(10)).copy(scenarios = listOf(Scenario("one", 1.0, listOf(page.copy(think = null))))), rule,
            listOf(5_000_000),
        ).single() shouldBe Slicing(10, SECOND, SECOND / 5)
    }

    @Test
    fun `streams are cut only if they end`() {
        fun cut(messages: Int?) = asked(users(10)).let { asked ->
            val request = asked.request.copy(stream = Stream.EVENTS, expect = Expectation(messages = messages))
            slicingsOf(asked.copy(request = request), rule, listOf(5_000_000)).single()
        }
        cut(messages = null) shouldBe Slicing(1)
        cut(messages = 5).isCut shouldBe true
    }

    private fun one(load: Load, typicalNanos: Long) = slicingsOf(asked(load), rule, listOf(typicalNanos)).single()

    private fun asked(load: Load) = Situation("s", "are examples", Request(path = "/"), load)

    private fun users(seconds: Int) = Load.Users(50, seconds * SECOND)

    private companion object {
        const val SECOND = 1_000_000_000L
    }
}

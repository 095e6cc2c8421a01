package threadgauge.judge.machine

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.EqualRound
import threadgauge.model.judgement.Precision

/** What two equal servers differ by, and what runs should reach by that. */
class PrecisionOfTest {
    @Test
    fun `a deviation is that of the logarithms of the ratio, with and without awake cores`() {
        // Squares 4 · 0.04² over four degrees of freedom.
        val precision = precision(awake = SMALL_NOISE, asleep = SMALL_NOISE.map { it * 3 })
        precision.awake!!.deviation shouldBe (0.04 plusOrMinus 1e-9)
        precision.asleep!!.deviation shouldBe (0.12 plusOrMinus 1e-9)
        precision.ofRuns shouldBe precision.awake
        precision.effect!!.noise.ratio shouldBe (1 / 3.0 plusOrMinus 1e-9)
        precision.effect!!.noise.high shouldBe (0.77488 plusOrMinus 1e-4)
        precision.effect!!.noise.isClear shouldBe true
    }

    @Test
    fun `one burst while cores slept does not make awake ones quieter`() {
        val ten = SMALL_NOISE + SMALL_NOISE
        val precision = precision(awake = ten, asleep = ten.drop(1) + 0.3)
        precision.asleep!!.deviation shouldBeGreaterThan 2.5 * precision.awake!!.deviation
        precision.effect!!.noise.isClear shouldBe false
    }

    @Test
    fun `servers that are not quite equal are no noise`() {
        precision(SMALL_NOISE.map { it + 0.3 }, emptyList()).awake!!.deviation shouldBe (0.04 plusOrMinus 1e-9)
    }

    @Test
    fun `what awake cores gain is taken within pairs of rounds`() {
        val gain = precisionOf(equalRounds(SMALL_NOISE, SMALL_NOISE, gain = 1.1))!!.effect!!.throughput!!
        gain.ratio shouldBe (1.1 plusOrMinus 1e-9)
        gain.isClear shouldBe true
    }

    @Test
    fun `where cores cannot be kept awake, runs are predicted with sleeping ones`() {
        val precision = precision(awake = emptyList(), asleep = SMALL_NOISE)
        precision.awake.shouldBeNull()
        precision.effect.shouldBeNull()
        precision.ofRuns.deviation shouldBe (0.04 plusOrMinus 1e-9)
        precision.runs.map { it.halfWidth } shouldBe precision(SMALL_NOISE, SMALL_NOISE).runs.map { it.halfWidth }
    }

    @Test
    fun `runs of shipped stacks take the time that they take`() {
        val runs = precision(SMALL_NOISE, SMALL_NOISE).runs
        runs.map { it.stacks to it.minutes } shouldContainExactly
            listOf(2 to 2, 2 to 5, 2 to 10, 2 to 30, 4 to 2, 4 to 5, 4 to 10, 4 to 30)
        // Five minutes had four blocks with two WebFlux processes, see PredictedRunTest.
        runs[1].blocks shouldBe 4
        // Two minutes of two stacks are exceeded by less than a tenth for the third block.
        runs[0].blocks shouldBe 3
        withClue(runs[4]) { runs[4].halfWidth.shouldBeNull() }
        for (stacks in listOf(2, 4)) {
            val widths = runs.filter { it.stacks == stacks }.mapNotNull { it.halfWidth }
            widths shouldBe widths.sortedDescending()
        }
        // Six pairs share the confidence, and a block takes twice the time.
        runs[5].halfWidth.shouldNotBeNull() shouldBeGreaterThan 3 * runs[1].halfWidth!!
        precision(SMALL_NOISE.map { it * 3 }, SMALL_NOISE).runs[1].halfWidth!! shouldBeGreaterThan runs[1].halfWidth!!
    }

    @Test
    fun `processes limit a long run where rounds do not`() {
        val silent = precision(List(5) { 0.0 }, emptyList())
        silent.effect.shouldBeNull()
        // Only the 2 % that are assumed between blocks are left.
        silent.runs[1].halfWidth!! shouldBe (0.0298 plusOrMinus 1e-3)
        silent.runs[3].halfWidth!! shouldBeLessThan 0.012
    }

    @Test
    fun `rounds without an answer count for nothing, and fewer than three say nothing`() {
        val round = equalRound(awake = false, logRatio = 0.0)
        val silent = round.copy(second = round.second.copy(requestsPerSecond = 0.0))
        val rounds = equalRounds(emptyList(), SMALL_NOISE)
        precisionOf(rounds + silent)!!.asleep shouldBe precisionOf(rounds)!!.asleep
        precisionOf(rounds.take(2) + silent).shouldBeNull()
        precisionOf(emptyList()).shouldBeNull()
        diagnose(soundCheckup().copy(equalServers = emptyList<EqualRound>())).precision.shouldBeNull()
    }

    private fun precision(awake: List<Double>, asleep: List<Double>): Precision =
        precisionOf(equalRounds(awake, asleep)).shouldNotBeNull()
}

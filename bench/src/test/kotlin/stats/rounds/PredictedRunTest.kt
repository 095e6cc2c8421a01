package threadgauge.stats.rounds

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import kotlin.math.exp
import kotlin.math.sqrt
import org.junit.jupiter.api.Test
import threadgauge.model.plan.Goal
import threadgauge.stats.fastRandom
import threadgauge.stats.shared

class PredictedRunTest {
    private val components = VarianceComponents(betweenRounds = 0.06, betweenBlocks = 0.02)

    /** Two WebFlux processes on one core: 0.67 s a slice; 8 s to start and 18.75 s to warm up. */
    private val webFlux = RunCost(roundSeconds = 1.34, blockSeconds = 53.5)

    @Test
    fun `a run of five minutes has as many blocks as the recorded one, and as many rounds in its first`() {
        // benchmarks/resolution/records/2026-11-26-rounds.csv, equal-webflux: 25, 7, 12 and 18 rounds.
        val run = run(minutes = 5)
        run.rounds.size shouldBe 4
        run.rounds.first() shouldBe 25
        run.rounds.sum().toDouble().shouldBeBetween(50.0, 74.0, 0.0)
    }

    @Test
    fun `the half-width is Student's quantile times the mean of an estimated standard error`() {
        val run = run(minutes = 5)
        val variance = run.rounds.sumOf { 0.02 * 0.02 + 0.06 * 0.06 / it } / 16
        // Student's quantile with three degrees of freedom, and the mean of a standard deviation with as many.
        run.halfWidth!! shouldBe (exp(3.182446 * 0.921318 * sqrt(variance)) - 1 plusOrMinus 1e-5)
    }

    @Test
    fun `the mean of an estimated standard deviation is that of tables`() {
        // c4 for samples of 2, 3, 5, 10 and 25 (Montgomery, appendix VI).
        val table = mapOf(1 to 0.7979, 2 to 0.8862, 4 to 0.9400, 9 to 0.9727, 24 to 0.9896)
        for ((freedom, of) in table) withClue(freedom) { expectedDeviation(freedom) shouldBe (of plusOrMinus 5e-5) }
        shouldThrow<IllegalArgumentException> { expectedDeviation(0) }
    }

    @Test
    fun `the time is filled and not exceeded`() {
        for (minutes in listOf(5, 10, 30)) withClue(minutes) {
            val seconds = BEFORE + run(minutes).rounds.sumOf { webFlux.seconds(1, it) }
            seconds.shouldBeBetween(minutes * 60 - webFlux.seconds(1, RunPlanning.MIN_ROUNDS), minutes * 60.0, 0.0)
        }
        run(minutes = 600).rounds.size shouldBe Goal.MAX_BLOCKS
    }

    @Test
    fun `below three blocks there is no interval`() {
        run(minutes = 2).rounds.size shouldBe 1
        run(minutes = 2).halfWidth.shouldBeNull()
        // Not even the first block fits; a run measures it nevertheless.
        val hasty = predictRun(components, webFlux, budgetSeconds = 30.0, BEFORE, slices = 2, confidence = 0.95)
        hasty.rounds.size shouldBe 1
        hasty.halfWidth.shouldBeNull()
    }

    @Test
    fun `more time narrows it, more noise and more comparisons widen it`() {
        run(minutes = 10).halfWidth!! shouldBeLessThan run(minutes = 5).halfWidth!!
        run(5, components.copy(betweenRounds = 0.12)).halfWidth!! shouldBeGreaterThan run(5).halfWidth!!
        run(5, confidence = shared(0.95, 6)).halfWidth!! shouldBeGreaterThan run(5).halfWidth!!
        run(minutes = 5, VarianceComponents(0.0, 0.0)).halfWidth shouldBe 0.0
    }

    @Test
    fun `the half-width is the mean of those that come out`() {
        val random = fastRandom(1)
        val cases = listOf(
            Triple(5, components, 0.95),
            Triple(10, components, 0.95),
            Triple(30, components, 0.95),
            Triple(10, VarianceComponents(0.15, 0.02), 0.95),
            Triple(10, VarianceComponents(0.10, 0.0), 0.95),
            Triple(30, components, shared(0.95, 6)),
        )
        for ((minutes, of, confidence) in cases) withClue("$minutes minutes, $of, $confidence") {
            val run = run(minutes, of, confidence)
            val seen = List(4_000) {
                val blocks = run.rounds.map { rounds ->
                    val block = of.betweenBlocks * random.nextGaussian()
                    List(rounds) { block + of.betweenRounds * random.nextGaussian() }
                }
                pairedRatio(blocks)!!.halfWidth(confidence)
            }
            (seen.average() / run.halfWidth!!).shouldBeBetween(0.97, 1.03, 0.0)
        }
    }

    private fun run(minutes: Int, of: VarianceComponents = components, confidence: Double = 0.95) =
        predictRun(of, webFlux, minutes * 60.0, BEFORE, slices = 2, confidence)

    private companion object {
        const val BEFORE = 7.0
    }
}

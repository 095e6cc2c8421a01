package threadgauge.judge.compare

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Counts
import threadgauge.model.Record
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.Verdict
import threadgauge.model.plan.Slice
import threadgauge.model.plan.SliceLatency

/** Stacks that were measured in rounds are compared within their rounds. */
class InRoundsTest {
    /** What the machine does to everybody in a round, as a factor of its speed: by block and round. */
    private val weather = listOf(
        listOf(1.0, 0.6, 0.9, 1.1), listOf(0.5, 0.7, 0.8, 1.2), listOf(1.3, 0.9, 0.4, 1.0),
        listOf(0.8, 1.1, 0.6, 0.7),
    )

    @Test
    fun `what meets both in a round cancels out`() {
        // Twice as slow an hour for both, and yet a difference of 5 % is seen: the trials alone would not tell.
        val rates = weather.map { block -> block.map { it * 1_000 } }
        val compared = comparison(inRounds(rates, rates.map { block -> block.map { it * 1.05 } }))
        compared.ratio shouldBe (1 / 1.05 plusOrMinus 1e-6)
        compared.outcome shouldBe ComparisonOutcome.LESS
        compared.high!! shouldBe (1 / 1.05 plusOrMinus 1e-6)
        val ofTrials = comparison(inRounds(rates, rates.map { block -> block.map { it * 1.05 } }).withoutSlices())
        ofTrials.outcome shouldBe ComparisonOutcome.CANNOT_TELL
    }

    @Test
    fun `blocks are the unit, and the picture has them with their rounds`() {
        val rates = weather.map { block -> block.map { it * 1_000 } }
        val offs = listOf(0.02, -0.02, 0.06, 0.0)
        val others = rates.mapIndexed { block, its -> its.map { it * exp(-offs[block]) } }
        val compared = comparison(inRounds(rates, others))
        val seen = compared.rounds!!
        seen.blocks.map { it.block } shouldContainExactly listOf(1, 2, 3, 4)
        seen.blocks.forEachIndexed { index, block ->
            block.ratio shouldBe (exp(offs[index]) plusOrMinus 1e-6)
            block.rounds.size shouldBe 4
        }
        seen.betweenRounds!! shouldBe (0.0 plusOrMinus 1e-6)
        // Mean 0.015, standard error 0.0170783, Student's quantile with three degrees of freedom 3.182446.
        compared.ratio shouldBe (exp(0.015) plusOrMinus 1e-6)
        compared.low!! shouldBe (exp(0.015 - 3.182446 * 0.0170783) plusOrMinus 1e-5)
    }

    @Test
    fun `a round that one of the two missed is none`() {
        val rates = weather.map { block -> block.map { it * 1_000 } }
        val record = inRounds(rates, rates)
        val cut = record.copy(trials = record.trials.map { trial ->
            if (trial.stack == "b" && trial.number == 2) trial.copy(slices = trial.slices.take(1)) else trial
        })
        comparison(cut).rounds!!.blocks.map { it.rounds.size } shouldContainExactly listOf(4, 1, 4, 4)
    }

    @Test
    fun `two blocks have a ratio and no interval`() {
        val rates = weather.take(2).map { block -> block.map { it * 1_000 } }
        val compared = comparison(inRounds(rates, rates.map { block -> block.map { it * 1.5 } }))
        compared.ratio shouldBe (1 / 1.5 plusOrMinus 1e-6)
        compared.low.shouldBeNull()
        compared.outcome shouldBe ComparisonOutcome.CANNOT_TELL
    }

    @Test
    fun `what another program took from one of the two in a round is taken into account, and told`() {
        val random = Random(1)
        fun shares() = List(4) { List(8) { if (random.nextInt(3) == 0) 0.5 * random.nextDouble() else 0.0 } }
        val (taken, takenOfOther) = shares() to shares()
        fun rates(factor: Double, taken: List<List<Double>>) = taken.map { block ->
            block.map { 1_000 * factor * (1 - it) * exp(0.01 * random.nextGaussian()) }
        }
        val record = inRounds(rates(1.05, taken), rates(1.0, takenOfOther))
        val asMeasured = comparison(record)
        asMeasured.rounds!!.adjusted.shouldBeNull()
        val adjusted = comparison(record.withOthers(mapOf("a" to taken, "b" to takenOfOther)))
        adjusted.ratio shouldBe (1.05 plusOrMinus 0.01)
        adjusted.outcome shouldBe ComparisonOutcome.MORE
        (adjusted.high!! - adjusted.low!!) shouldBeLessThan 0.3 * (asMeasured.high!! - asMeasured.low!!)
        val told = adjusted.rounds!!.adjusted!!
        told.slope shouldBe (1.0 plusOrMinus 0.1)
        told.explained shouldBeGreaterThan 0.9
        told.betweenRoundsMeasured!! shouldBeGreaterThan 4 * adjusted.rounds!!.betweenRounds!!
    }

    @Test
    fun `the verdict goes by the ratio within rounds, where the medians of the trials say the opposite`() {
        val taken = List(4) { List(8) { round -> if (round % 2 == 0) 0.3 else 0.02 * round } }
        val none = List(4) { List(8) { round -> if (round == 7) 0.6 else 0.3 - 0.3 * (round % 2) } }
        fun rates(factor: Double, taken: List<List<Double>>) =
            taken.map { all -> all.map { 1_000 * factor * (1 - it) } }
        val record = inRounds(rates(1.05, taken), rates(1.0, none)).let { record ->
            record.copy(trials = record.trials.map { trial ->
                val per = if (trial.stack == "a") 999L else 1_000L
                trial.copy(samples = trial.samples.map {
                    it.copy(answeredInWindow = (per * it.windowMillis / 1_000).toLong())
                })
            })
        }
        val judged = judge(record.withOthers(mapOf("a" to taken, "b" to none))).situations.single()
        judged.comparisons.single { it.of == Compared.THROUGHPUT }.outcome shouldBe ComparisonOutcome.MORE
        (judged.verdict as Verdict.Fits).ranking.order.first() shouldBe "a"
    }

    @Test
    fun `what others took is left alone where it explains nothing, or where a stack took it itself`() {
        val random = Random(2)
        val rates = List(4) { List(8) { 1_000 * exp(0.05 * random.nextGaussian()) } }
        val none = List(4) { List(8) { 0.01 * random.nextDouble() } }
        comparison(inRounds(rates, rates.map { it.shuffled(random) }).withOthers(mapOf("a" to none, "b" to none)))
            .rounds!!.adjusted.shouldBeNull()
        // What goes with the throughput is no cause of it.
        val ofAnswers = rates.map { block -> block.map { it / 20_000 } }
        val shuffled = rates.map { it.shuffled(random) }
        val ofOthers = shuffled.map { block -> block.map { it / 20_000 } }
        comparison(inRounds(rates, shuffled).withOthers(mapOf("a" to ofAnswers, "b" to ofOthers)))
            .rounds!!.adjusted.shouldBeNull()
        val moved = List(4) { List(8) { 0.2 + 0.05 * random.nextDouble() } }
        val slowed = moved.map { block -> block.map { 1_000 * exp(-2 * it) } }
        comparison(inRounds(slowed, rates).withOthers(mapOf("a" to moved, "b" to none)))
            .rounds!!.adjusted.shouldBeNull()
    }

    private fun Record.withOthers(shares: Map<String, List<List<Double>>>) = copy(trials = trials.map { trial ->
        trial.copy(slices = trial.slices.map {
            it.copy(takenFromTarget = shares.getValue(trial.stack)[trial.number - 1][it.round - 1])
        })
    })

    private fun comparison(record: Record): Comparison =
        judge(record).situations.single().run { comparisons }.single { it.stack == "a" && it.other == "b" }

    /** Rates of both stacks by block and round. */
    private fun inRounds(a: List<List<Double>>, b: List<List<Double>>): Record {
        val rates = mapOf("a" to a, "b" to b)
        val record = recordOf(rates.mapValues { (_, blocks) -> blocks.map { it.average() } })
        return record.copy(trials = record.trials.map { trial ->
            trial.copy(slices = rates.getValue(trial.stack)[trial.number - 1].mapIndexed { round, rate ->
                sliceOf(round + 1, rate)
            })
        })
    }

    private fun sliceOf(round: Int, perSecond: Double): Slice {
        // Ten thousand seconds, so that whole answers are as good as any.
        val answered = (perSecond * 10_000).toLong()
        return Slice(
            "s", round, atMillis = 0.0, windowMillis = 1e7, counts = Counts(answered, answered, answered, 0, 0),
            answeredInWindow = answered, latency = SliceLatency(1.0, 1.0, 1.0), sendDelayP99Micros = 1.0,
        )
    }

    private fun Record.withoutSlices() = copy(trials = trials.map { it.copy(slices = emptyList()) })
}

package threadgauge.wording.machine

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.AwakeEffect
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.RatioWithInterval
import threadgauge.model.judgement.RoundNoise
import threadgauge.report.examplePrecision
import threadgauge.report.shouldBeApproved

class PrecisionWordsTest {
    private val example = examplePrecision()

    @Test
    fun `what is said of each kind of machine reads as approved`() {
        val unclear = example.noise(RatioWithInterval(0.8, 0.4, 1.6), RatioWithInterval(1.01, 0.98, 1.04))
        val louder = example.noise(RatioWithInterval(2.4, 1.2, 4.8), RatioWithInterval(0.9, 0.85, 0.95))
        val noisy = example.copy(runs = example.runs.map { it.copy(halfWidth = it.halfWidth?.times(6)) })
        val hopeless = example.copy(runs = example.runs.map { it.copy(halfWidth = null) })
        val text = section("Awake cores help", example) +
            section("Awake cores may help", unclear) +
            section("Awake cores do harm", louder) +
            section("Cores cannot be kept awake", asleep()) +
            section("Too noisy", noisy) +
            section("No run has an interval", hopeless)
        shouldBeApproved(text, "precision.approved.txt")
    }

    @Test
    fun `a table that has a width everywhere explains no dash`() {
        example.assumptions() shouldContain "–: too short"
        val long = example.copy(runs = example.runs.filter { it.halfWidth != null })
        long.assumptions() shouldNotContain "–"
        long.runs.map { it.words() } shouldBe listOf("± 3.6 %", "± 1.0 %", "± 22 %", "± 3.0 %")
    }

    private fun asleep() = example.copy(asleep = RoundNoise(0.131, rounds = 20), awake = null, effect = null)

    private fun Precision.noise(noise: RatioWithInterval, throughput: RatioWithInterval?) =
        copy(effect = AwakeEffect(noise, throughput))

    private fun section(title: String, precision: Precision) =
        "# $title\n\n${precision.words()}\n${precision.assumptions()}\n\n"
}

package threadgauge.experiment.load

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import threadgauge.experiment.mistakes
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Slo
import threadgauge.model.notation

class SloReaderTest {
    private fun mistakesOf(text: String) = shouldThrow<ExperimentMistakes> { readSlo(text) }.mistakes

    @Test
    fun `goals are read with their units`() {
        readSlo("p99<100ms,errors<0.1%") shouldBe Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), 0.001)
        readSlo("p50<500us, p99.9<1.5s") shouldBe
            Slo(listOf(LatencyGoal(LatencyMeasure.P50, 500.0), LatencyGoal(LatencyMeasure.P999, 1_500_000.0)))
        readSlo("mean<1ms,max<2s,p90<3ms").latencies.map { it.measure }.shouldContainExactly(
            LatencyMeasure.MEAN, LatencyMeasure.MAX, LatencyMeasure.P90,
        )
    }

    @ParameterizedTest
    @ValueSource(strings = ["p99 <= 100ms , errors <= 0.1%", " P99<100ms,Errors<0.1% ", "p99 ≤ 0.1s,failures<0.1%"])
    fun `blanks, other signs and other spellings mean the same`(text: String) {
        readSlo(text) shouldBe readSlo("p99<100ms,errors<0.1%")
    }

    @ParameterizedTest
    @ValueSource(strings = ["p99<100ms, errors<0.1%", "p50<500us", "max<2s, errors<=0%", "p99.9<1.5s, mean<1ms"])
    fun `the notation of goals is read as the same goals`(text: String) {
        readSlo(text).notation() shouldBe text
        readSlo(readSlo(text).notation()) shouldBe readSlo(text)
    }

    @Test
    fun `all mistakes are told at once, each with its place`() {
        val mistakes = mistakesOf("p99<100, p98<1s, errors<0%,, p50>3ms, p99<2s")
        mistakes.map { it.column }.shouldContainExactly(1, 10, 18, 28, 30, 39)
        mistakes[0].problem shouldContain "no unit"
        mistakes[1].problem shouldContain "no measure \"p98\""
        mistakes[1].remedy shouldContain "Did you mean \"p9"
        mistakes[2].remedy shouldContain "errors<=0%"
        mistakes[3].problem shouldContain "missing"
        mistakes[4].remedy shouldContain "the sign is <"
        // The first p99 was wrong, and still it was there.
        mistakes[5].problem shouldContain "twice"
    }

    @Test
    fun `a least throughput is a goal of loads, and none of a search for the knee`() {
        readSlo("throughput>200/s, p99<1s", "--goals") shouldBe
            Slo(listOf(LatencyGoal(LatencyMeasure.P99, 1_000_000.0)), minPerSecond = 200.0)
        for (text in listOf("throughput >= 200/s", "Throughput≥200/s")) {
            readSlo(text, "--goals") shouldBe Slo(minPerSecond = 200.0)
        }
        readSlo("errors<=0%,throughput>1.5/s", "--goals").notation() shouldBe "errors<=0%, throughput>1.5/s"
        mistakesOf("p99<1s, throughput>200/s").single().run {
            column shouldBe 9
            problem shouldBe "throughput is no goal of a search for the knee"
        }
        val turned = shouldThrow<ExperimentMistakes> { readSlo("throughput<200/s, errors>1%", "--goals") }.mistakes
        turned.map { it.problem }.shouldContainExactly(
            "\"throughput<200/s\" is not a goal", "\"errors>1%\" is not a goal",
        )
        turned[0].remedy shouldContain "the sign is >"
        turned[1].remedy shouldContain "the sign is <"
        turned.map { it.file }.distinct() shouldBe listOf("--goals")
    }

    @Test
    fun `a caret shows the place`() {
        shouldThrow<ExperimentMistakes> { readSlo("p99<1s,p5<1s") }.message.orEmpty() shouldContain "\n   |        ^\n"
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "", "<", "p99", "p99<", "p99<-5ms", "p99<5%", "errors<5ms", "p99<1000h", "errors<200%", "p99<1ms<2ms",
            "\u0000",
        ],
    )
    fun `what is no goal is a mistake`(text: String) {
        mistakesOf(text).size shouldBe 1
    }
}

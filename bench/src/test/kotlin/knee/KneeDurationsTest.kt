package threadgauge.knee

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Slo
import threadgauge.model.plan.KneeQuestion

class KneeDurationsTest {
    private val question = KneeQuestion(Slo.USUAL)

    private fun open(perSecond: Double, near: Boolean = true, aloneMicros: Double = 0.0, of: KneeQuestion = question) =
        KneeDurations.openNanos(of, SearchStep.Try(perSecond, near), aloneMicros) / 1e9

    @Test
    fun `a closed load is long enough to see several answers, and ends`() {
        fun closed(aloneMillis: Int) = KneeDurations.closedNanos(aloneMillis * 1e3) / 1e9
        closed(1) shouldBe 1.5
        closed(3_000) shouldBe 12.0
        closed(60_000) shouldBe 20.0
    }

    @Test
    fun `an open load lasts half as long away from the knee`() {
        open(10_000.0) shouldBe 5.0
        open(10_000.0, near = false) shouldBe 2.5
    }

    @Test
    fun `an open load is long enough for its percentiles and for several answers, up to four times as long`() {
        // 1,000 answers for p99, and a tenth to spare.
        open(100.0) shouldBe 11.0
        open(10.0) shouldBe 20.0
        open(10_000.0, aloneMicros = 3e6) shouldBe 12.0
        open(10_000.0, aloneMicros = 9e6) shouldBe 20.0
        val median = question.copy(slo = Slo(listOf(LatencyGoal(LatencyMeasure.P50, 1e5)), maxErrors = null))
        open(10.0, of = median) shouldBe 5.0
    }
}

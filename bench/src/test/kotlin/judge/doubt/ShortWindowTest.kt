package threadgauge.judge.doubt

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.recordOf
import threadgauge.model.Counts
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.Sample
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.Validity

/** The window of the examples is 5 s. */
class ShortWindowTest {
    private val open = Load.Rate(100.0, 5_000_000_000)
    private val closed = Load.Users(50, 5_000_000_000)

    @Test
    fun `answers that all come after the window make no figure`() {
        val found = doubt(open) { it.answeredAfter(6_000.0, inWindow = 0) }.shouldNotBeNull()
        found.validity shouldBe Validity.INVALID
        found.facts shouldBe LoadDoubt.ShortWindow(5_000.0, 6_000.0, 6_000.0, 0.5)
        doubt(closed) { it.answeredAfter(6_000.0, inWindow = 0) }!!.validity shouldBe Validity.INVALID
    }

    @Test
    fun `where no answer came at all, its time is not known`() {
        val counts = Counts(scheduled = 500, sent = 500, answered = 0, unsent = 0, unfinished = 500)
        val none = Latency(0, 0.0, 0.0, 0.0, 0.0, 0.0, null, 0.0)
        doubt(open) { it.copy(counts = counts, answeredInWindow = 0, serviceTime = none) }!!.facts shouldBe
            LoadDoubt.ShortWindow(5_000.0, null, null, 0.5)
    }

    @Test
    fun `a rate is suspect from a tenth of the window on, and no load has a figure from half of it on`() {
        fun validity(load: Load, millis: Double) = doubt(load) { it.answeredAfter(millis, inWindow = 10) }?.validity
        validity(open, 490.0).shouldBeNull()
        validity(open, 510.0) shouldBe Validity.SUSPECT
        validity(open, 2_490.0) shouldBe Validity.SUSPECT
        validity(open, 2_510.0) shouldBe Validity.INVALID
        validity(closed, 2_490.0).shouldBeNull()
        validity(closed, 2_510.0) shouldBe Validity.INVALID
    }

    @Test
    fun `a queue that builds up is no short window, unless most answers take longer than it`() {
        fun validity(typical: Double) = doubt(open) {
            val answered = it.answeredAfter(typical, inWindow = 10)
            answered.copy(serviceTime = answered.serviceTime.copy(minMicros = 10_000.0))
        }?.validity
        validity(4_900.0).shouldBeNull()
        validity(5_100.0) shouldBe Validity.INVALID
    }

    @Test
    fun `loads that end with their last answer, and those that failed alone, are no short window`() {
        doubt(Load.Burst(50)) { it.answeredAfter(4_900.0, inWindow = 50) }.shouldBeNull()
        doubt(Load.Loops(50, 10)) { it.answeredAfter(4_900.0, inWindow = 50) }.shouldBeNull()
        val refused = Counts(scheduled = 500, sent = 500, answered = 0, unsent = 0, unfinished = 0)
        val none = Latency(0, 0.0, 0.0, 0.0, 0.0, 0.0, null, 0.0)
        doubt(open) { it.copy(counts = refused, answeredInWindow = 0, serviceTime = none) }.shouldBeNull()
    }

    private fun Sample.answeredAfter(millis: Double, inWindow: Long): Sample {
        val micros = millis * 1e3
        val all = Latency(500, micros, micros, micros, micros, micros, null, micros)
        return copy(answeredInWindow = inWindow, latency = all, serviceTime = all, counts = Counts(500, 500, 500, 0, 0))
    }

    private fun doubt(load: Load, edit: (Sample) -> Sample) =
        recordOf(mapOf("a" to listOf(100.0)), edit = edit).let { record ->
            val situation = record.plan.experiment.situations.single().copy(load = load)
            val trial = record.trials.single()
            val evidence = Evidence(situation, trial, trial.samples.single(), record.environment)
            loadDoubts.filterIsInstance<SampleRule>().single { it.id == DoubtId.SHORT_WINDOW }.examine(evidence)
        }
}

package threadgauge.telemetry

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Test
import threadgauge.model.failure.CollectorTrouble
import threadgauge.model.failure.TelemetryFault
import threadgauge.run.RunEvent

class TelemetryTest {
    private val told = ArrayList<TelemetryFault>()
    private val faults = FaultBox()

    @Test
    fun `nothing is done while a slice is measured, and its figures go out at its end`() {
        val output = Recording()
        telemetry(output).use { telemetry ->
            output.next().shouldNotBeNull() // at the start, before anything is measured
            LoadEvents.load(isSlice = true).dropLast(1).forEach(telemetry::hear)
            output.next(millis = 1_500).shouldBeNull()
            telemetry.hear(LoadEvents.ended)
            output.next().shouldNotBeNull().number(Metric.SENT) shouldBe 8.0
        }
    }

    @Test
    fun `a load that is no slice is left alone at first`() {
        val output = Recording()
        telemetry(output).use { telemetry ->
            output.next().shouldNotBeNull()
            LoadEvents.load().dropLast(1).forEach(telemetry::hear)
            output.next(millis = 1_500).shouldBeNull()
        }
    }

    @Test
    fun `the last figures go out at the end, once, and everything is closed`() {
        val output = Recording()
        val telemetry = telemetry(output)
        // Interrupted in the middle of a slice.
        LoadEvents.load(isSlice = true).dropLast(1).forEach(telemetry::hear)
        telemetry.close()
        output.ended shouldHaveSize 1
        output.ended.single().run {
            number(Metric.SENT) shouldBe 7.0
            number(Metric.ACTIVE_REQUESTS) shouldBe 0.0
            number(Metric.PHASE, Attribute.PHASE to RunPhase.ENDED.id) shouldBe 1.0
        }
        output.isClosed shouldBe true
        Thread.getAllStackTraces().keys.filter { it.name == "telemetry" && it.isAlive }.shouldBeEmpty()
    }

    @Test
    fun `a fault is reported once, on the thread of the run, and not within a load`() {
        telemetry(Recording()).use { telemetry ->
            val fault = TelemetryFault.NotReached("http://x/v1/metrics", CollectorTrouble.REFUSED)
            faults.put(fault)
            faults.put(fault.copy(trouble = CollectorTrouble.TIMEOUT))
            LoadEvents.load().forEach(telemetry::hear)
            told.shouldBeEmpty()
            telemetry.hear(RunEvent.RoundStarted(1, 2, "hello"))
            told shouldContainExactly listOf(fault)
        }
        told shouldHaveSize 1
    }

    private fun telemetry(output: TelemetryOutput) =
        Telemetry(RunFigures("checkout"), listOf(output), faults) { told += it }

    /** Keeps what it gets. */
    private class Recording : TelemetryOutput {
        private val published = LinkedBlockingQueue<List<MetricPoints>>()
        val ended = ArrayList<List<MetricPoints>>()
        var isClosed = false

        override val everyNanos get() = 1L

        override fun publish(figures: List<MetricPoints>) {
            published += figures
        }

        override fun end(figures: List<MetricPoints>) {
            ended += figures
        }

        override fun close() {
            isClosed = true
        }

        fun next(millis: Long = 10_000): List<MetricPoints>? = published.poll(millis, TimeUnit.MILLISECONDS)
    }
}

package threadgauge.telemetry

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import kotlin.time.Duration.Companion.minutes
import org.junit.jupiter.api.Test
import threadgauge.model.Boot
import threadgauge.model.Load
import threadgauge.report.exampleRecord
import threadgauge.run.RunEvent
import threadgauge.run.agent.countsOf

class RunFiguresTest {
    private var now = 0L
    private val figures = RunFigures("checkout") { now }

    @Test
    fun `the sums of a load are the counts of its result`() {
        val shown = after(LoadEvents.load())
        val counts = countsOf(LoadEvents.ended.done)
        shown.number(Metric.SCHEDULED) shouldBe counts.scheduled.toDouble()
        shown.number(Metric.SENT) shouldBe counts.sent.toDouble()
        shown.number(Metric.ANSWERED) shouldBe counts.answered.toDouble()
        val failed = shown.points(Metric.FAILED).filterIsInstance<Point.Number>()
        failed.sumOf { it.value } shouldBe counts.failed.toDouble()
        failed.associate { it.attributes.getValue(Attribute.ERROR) to it.value } shouldBe
            mapOf("server_error" to 1.0, "unfinished" to 2.0, "unsent" to 2.0)
        shown.number(Metric.LOAD_TIME) shouldBe 2.0
        shown.number(Metric.THROUGHPUT) shouldBe 2.0
        shown.number(Metric.TARGET_CPU, Attribute.CPU_MODE to "user") shouldBe 0.5
        shown.number(Metric.TARGET_CPU, Attribute.CPU_MODE to "system") shouldBe 0.25
        shown.number(Metric.TARGET_MEMORY) shouldBe 50_000_000.0
        shown.number(Metric.TARGET_THREADS) shouldBe 21.0
        shown.number(Metric.ACTIVE_REQUESTS) shouldBe 0.0
    }

    @Test
    fun `a second load adds to the first, and a slice shows its load until the block ends`() {
        after(LoadEvents.load())
        val shown = after(LoadEvents.load(isSlice = true))
        shown.number(Metric.SENT) shouldBe 16.0
        shown.times(Metric.LATENCY).count shouldBe 8
        shown.number(Metric.LOAD_TIME) shouldBe 4.0
        shown.number(Metric.LOAD_RATE) shouldBe 5.0
    }

    @Test
    fun `while a load goes on, closed seconds and requests in flight are seen`() {
        val shown = after(LoadEvents.load().take(4))
        shown.number(Metric.SENT) shouldBe 5.0
        shown.number(Metric.ANSWERED) shouldBe 3.0
        shown.number(Metric.ACTIVE_REQUESTS) shouldBe 2.0
        shown.number(Metric.LOAD_TIME) shouldBe 1.0
        shown.number(Metric.LOAD_RATE) shouldBe 5.0
        shown.points(Metric.REQUEST_DURATION).shouldBeEmpty()
        // Several agents report the same second, each its own requests.
        after(listOf(LoadEvents.pulse(1, 3), LoadEvents.pulse(1, 4))).number(Metric.ACTIVE_REQUESTS) shouldBe 7.0
    }

    @Test
    fun `times fall into the buckets of the conventions and keep their sum`() {
        val duration = after(LoadEvents.load()).times(Metric.REQUEST_DURATION)
        Point.BOUNDS.zip(duration.counts).filter { (_, count) -> count > 0 } shouldContainExactly
            listOf(0.00025 to 1L, 0.0005 to 1L, 0.005 to 2L)
        duration.counts.last() shouldBe 1
        val mean = LoadEvents.times(0.2, 0.4, 3.0, 3.0, 12_000.0).mean / 1e9
        duration.sum / duration.count shouldBe (mean plusOrMinus mean / 1e9)
        duration.max shouldBe (12.0 plusOrMinus 0.012)
        listOf(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0).let {
            Point.BOUNDS.takeLast(it.size) shouldContainExactly it
        }
    }

    @Test
    fun `every point says what it is of`() {
        val shown = after(LoadEvents.load())
        val ofLoad = mapOf(
            Attribute.EXPERIMENT to "checkout", Attribute.STACK to "shop", Attribute.TRIAL to 2L,
            Attribute.SITUATION to "hello",
        )
        shown.points(Metric.LATENCY).single().attributes shouldBe ofLoad
        shown.points(Metric.SENT).single().attributes shouldBe ofLoad
        shown.times(Metric.REQUEST_DURATION).attributes shouldBe ofLoad + mapOf(
            Attribute.METHOD to "GET", Attribute.ADDRESS to "127.0.0.1", Attribute.PORT to 8080L,
            Attribute.STATUS to 200L,
        )
        shown.points(Metric.TARGET_MEMORY).single().attributes shouldBe ofLoad - Attribute.SITUATION
    }

    @Test
    fun `the phase goes from the build to the end`() {
        val record = exampleRecord()
        val planned = record.plan.trials.first()
        phase() shouldBe "build"
        after(listOf(RunEvent.BlockStarted(0, 4, listOf(planned), 3.minutes))).run {
            number(Metric.BLOCK) shouldBe planned.number.toDouble()
            number(Metric.TIME_LEFT) shouldBe 180.0
        }
        after(listOf(RunEvent.TrialStarted(planned), RunEvent.Booted(planned, Boot(900.0, 1_500.0))))
            .number(Metric.TARGET_START) shouldBe 1.5
        phase() shouldBe "start"
        after(listOf(RunEvent.RoundStarted(3, 9, "hello"))).number(Metric.ROUND) shouldBe 3.0
        phase() shouldBe "measuring"
        figures.end()
        phase() shouldBe "ended"
    }

    @Test
    fun `a load that breaks off leaves nothing in flight, and the next one counts by itself`() {
        after(LoadEvents.load().take(4))
        after(listOf(LoadEvents.started())).number(Metric.ACTIVE_REQUESTS) shouldBe 0.0
        after(LoadEvents.load().drop(1)).number(Metric.SENT) shouldBe 5.0 + 8.0
    }

    @Test
    fun `points of a trial go two minutes after its block, so that a long run stays small`() {
        after(LoadEvents.load())
        after(listOf(RunEvent.BlockEnded(listOf(LoadEvents.planned), 1.minutes, exampleRecord())))
        now = 119_000_000_000
        figures.snapshot().points(Metric.SENT) shouldHaveSize 1
        now = 121_000_000_000
        figures.snapshot().run {
            points(Metric.SENT).shouldBeEmpty()
            points(Metric.LATENCY).shouldBeEmpty()
            points(Metric.PHASE) shouldHaveSize RunPhase.entries.size
        }
    }

    @Test
    fun `the intended rate follows the load`() {
        val second = 1_000_000_000L
        Load.Rate(7.0, second).rateAt(0) shouldBe 7.0
        Load.Ramp(10.0, 30.0, 4 * second).run {
            rateAt(0) shouldBe 10.0
            rateAt(second) shouldBe 15.0
            rateAt(9 * second) shouldBe 30.0
        }
        Load.Burst(5).rateAt(0) shouldBe null
        Load.Steps(listOf(Load.Rate(1.0, second), Load.Burst(3), Load.Ramp(2.0, 4.0, 2 * second))).run {
            rateAt(second - 1) shouldBe 1.0
            rateAt(2 * second) shouldBe 3.0
            rateAt(9 * second) shouldBe 4.0
        }
    }

    private fun after(events: List<RunEvent>): List<MetricPoints> {
        events.forEach(figures::hear)
        return figures.snapshot()
    }

    private fun phase(): Any? = figures.snapshot().points(Metric.PHASE).filterIsInstance<Point.Number>()
        .single { it.value == 1.0 }.attributes[Attribute.PHASE]
}

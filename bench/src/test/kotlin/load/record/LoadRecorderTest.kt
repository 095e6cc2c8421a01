package threadgauge.load.record

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.Outcome

private const val MILLI = 1_000_000L

class LoadRecorderTest {
    private val recorder = LoadRecorder(startNanos = 0)

    @Test
    fun `latency counts in the second of the intended time, an answer in that of its arrival`() {
        recorder.sent(intendedNanos = 900 * MILLI, nowNanos = 1_100 * MILLI)
        recorder.answered(900 * MILLI, 1_100 * MILLI, nowNanos = 2_400 * MILLI)
        val (zero, one, two) = recorder.takeRest()
        listOf(zero, one, two).map { it.latency.totalCount } shouldBe listOf(1, 0, 0)
        listOf(zero, one, two).map { it.sent } shouldBe listOf(0, 1, 0)
        listOf(zero, one, two).map { it.answered } shouldBe listOf(0, 0, 1)
        zero.latency.maxValue / MILLI shouldBe 1_500
        recorder.serviceTime.maxValue / MILLI shouldBe 1_300
        recorder.sendDelay.maxValue / MILLI shouldBe 200
    }

    @Test
    fun `a second is closed when it is over, its requests have ended and none is still to be sent`() {
        recorder.sent(100 * MILLI, 100 * MILLI)
        recorder.takeClosed(1_500 * MILLI, nextIntendedNanos = 1_500 * MILLI).shouldBeEmpty()
        recorder.answered(100 * MILLI, 100 * MILLI, 1_600 * MILLI)
        recorder.takeClosed(1_700 * MILLI, nextIntendedNanos = 999 * MILLI).shouldBeEmpty()
        recorder.takeClosed(1_700 * MILLI, nextIntendedNanos = 1_700 * MILLI).map { it.index } shouldBe listOf(0)
        recorder.takeClosed(1_800 * MILLI, nextIntendedNanos = 1_800 * MILLI).shouldBeEmpty()
        recorder.takeRest().map { it.index } shouldBe listOf(1)
    }

    @Test
    fun `counts add up whatever happens to the requests`() {
        repeat(10) { recorder.sent(0, 0) }
        repeat(4) { recorder.answered(0, 0, MILLI) }
        recorder.failed(0, MILLI, Outcome.RESET)
        recorder.failed(0, MILLI, Outcome.RESPONSE_TIMEOUT)
        recorder.active shouldBe 4
        repeat(4) { recorder.unfinished(0, 5 * MILLI) }
        repeat(3) { recorder.unsent(2 * MILLI, 5 * MILLI) }
        recorder.scheduled shouldBe recorder.sent + recorder.unsent
        recorder.sent shouldBe recorder.answered + recorder.failures.sum() + recorder.unfinished
        recorder.active shouldBe 0
    }

    @Test
    fun `unanswered requests enter the latency with their age, and fast failures do not`() {
        recorder.sent(0, 0)
        recorder.failed(0, MILLI, Outcome.REFUSED)
        recorder.sent(0, 0)
        recorder.unfinished(0, 70 * MILLI)
        recorder.unsent(10 * MILLI, 70 * MILLI)
        val latency = recorder.takeRest().first().latency
        latency.totalCount shouldBe 2
        latency.minValue / MILLI shouldBe 59 // the bucket of 60 ms begins a little below
        latency.maxValue / MILLI shouldBe 70
    }

    @Test
    fun `merged parts equal the whole exactly`() {
        val whole = newHistogram()
        val parts = List(3) { newHistogram() }
        val random = java.util.Random(1)
        repeat(30_000) {
            val nanos = (Math.exp(random.nextGaussian() * 2 + 14)).toLong()
            whole.recordValue(nanos)
            parts[it % 3].recordValue(nanos)
        }
        val merged = newHistogram().also { sum -> parts.forEach(sum::add) }
        merged shouldBe whole
    }
}

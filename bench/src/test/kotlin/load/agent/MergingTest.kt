package threadgauge.load.agent

import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.int
import io.kotest.property.checkAll
import java.nio.file.Path
import kotlin.random.Random
import kotlinx.coroutines.runBlocking
import org.HdrHistogram.EncodableHistogram
import org.HdrHistogram.HistogramLogReader
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.load.record.LoadRecorder
import threadgauge.load.record.writeHistogramLog
import threadgauge.model.AgentHealth
import threadgauge.model.Outcome

/** The results of several agents, added up, equal those of a single agent to the last count. */
class MergingTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `merged equals whole`() = runBlocking<Unit> {
        checkAll(PropTestConfig(seed = 1, iterations = 60), Arb.int(), Arb.int(1, 5)) { seed, agents ->
            val whole = LoadRecorder(0)
            val parts = List(agents) { LoadRecorder(0) }
            val random = Random(seed)
            repeat(400) { number ->
                listOf(whole, parts[number % agents]).let { both -> event(random).let { both.forEach(it) } }
            }

            val merged = merge(parts.map(::doneOf))
            val wanted = doneOf(whole)
            // In their encoded form equal histograms differ by how they grew.
            merged.copy(serviceTime = "", sendDelay = "") shouldBe wanted.copy(serviceTime = "", sendDelay = "")
            decode(merged.serviceTime) shouldBe decode(wanted.serviceTime)
            decode(merged.sendDelay) shouldBe decode(wanted.sendDelay)

            val one = LoadSeries().also { it.hearAll(whole) }
            val several = LoadSeries().also { series -> parts.shuffled(random).forEach { series.hearAll(it) } }
            several.seconds() shouldBe one.seconds()
            several.latency() shouldBe one.latency()
            intervalsOf(several) shouldBe intervalsOf(one)
        }
    }

    @Test
    fun `a lost slice shows in the result`() {
        val parts = List(3) { LoadRecorder(0) }
        val random = Random(7)
        repeat(300) { number -> event(random)(parts[number % 3]) }
        val all = merge(parts.map(::doneOf))
        val some = merge(parts.take(2).map(::doneOf))
        some.scheduled shouldBe all.scheduled - parts[2].scheduled
        (decode(some.serviceTime) == decode(all.serviceTime)) shouldBe false
    }

    /** An event of a request, the same for every recorder that it is played to. */
    private fun event(random: Random): (LoadRecorder) -> Unit {
        val intended = random.nextLong(5_000_000_000)
        val sent = intended + random.nextLong(3_000_000)
        val done = sent + random.nextLong(50_000, 2_000_000_000)
        val kind = random.nextInt(20)
        return { recorder ->
            if (kind == 0) {
                recorder.unsent(intended, done)
            } else {
                recorder.sent(intended, sent)
                when (kind) {
                    1 -> recorder.unfinished(intended, done)
                    in 2..4 -> recorder.failed(intended, done, Outcome.entries[kind])
                    else -> recorder.answered(intended, sent, done)
                }
            }
        }
    }

    private fun doneOf(recorder: LoadRecorder) = AgentMessage.Done(
        order = 1, windowNanos = 5_000_000_000, scheduled = recorder.scheduled, sent = recorder.sent,
        answered = recorder.answered,
        answeredInWindow = recorder.answered, unsent = recorder.unsent, unfinished = recorder.unfinished,
        failures = Outcome.entries.associateWith { recorder.failures[it.ordinal] }.filterValues { it > 0 },
        connectionsOpened = 0, counted = mapOf("granted" to recorder.answered),
        serviceTime = encode(recorder.serviceTime), sendDelay = encode(recorder.sendDelay),
        health = AgentHealth(0.0, 0, 0.0, 0.0, 0.0, 0),
    )

    private fun LoadSeries.hearAll(recorder: LoadRecorder) = recorder.takeRest().forEach {
        hear(AgentMessage.Second(1, it.index, it.sent, it.answered, it.failed, encode(it.latency)))
    }

    /** The log of [series], read back. */
    private fun intervalsOf(series: LoadSeries): List<EncodableHistogram> {
        val log = folder.resolve("latency.hlog")
        writeHistogramLog(log, series.histograms(), 0)
        return HistogramLogReader(log.toFile())
            .use { reader -> generateSequence { reader.nextIntervalHistogram() }.toList() }
    }
}

package threadgauge.judge

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.measured
import threadgauge.model.Rehearsal
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure

/** Three processes of 200 MB and 40 threads; the first was observed and has 35 MB and 4 threads more. */
class RehearsedMemoryTest {
    private val record = recordOf(mapOf("a" to listOf(1_000.0, 1_010.0, 1_020.0))).let { record ->
        record.copy(
            trials = record.trials.map { trial ->
                val extra = if (trial.number == 1) Rehearsal(rssBytes = 35_000_000, threads = 4) else null
                val samples = trial.samples.map {
                    val bytes = 200_000_000 + (extra?.rssBytes ?: 0)
                    it.copy(cost = it.cost.copy(rssBytesMax = bytes, threadsMax = 40 + (extra?.threads ?: 0)))
                }
                trial.copy(rehearsal = extra, samples = samples)
            },
        )
    }

    @Test
    fun `what was loaded to observe a process is none of its memory and threads`() {
        val cell = judge(record).situations.single().cells.single()
        cell.rssMegabytes.shouldNotBeNull().values shouldBe listOf(200.0, 200.0, 200.0)
        cell.threads.shouldNotBeNull().values shouldBe listOf(40.0, 40.0, 40.0)
    }

    @Test
    fun `nor is it in claims`() {
        val cell = ClaimCell("a", record.plan.experiment.situations.single().name)
        measured(record, ClaimMeasure.MEMORY, cell).shouldNotBeNull().values shouldBe listOf(200.0, 200.0, 200.0)
        measured(record, ClaimMeasure.THREADS, cell).shouldNotBeNull().values shouldBe listOf(40.0, 40.0, 40.0)
    }
}

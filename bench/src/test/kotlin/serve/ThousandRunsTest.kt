package threadgauge.serve

import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.history.summaryOf
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.report.exampleRecord
import threadgauge.store.RecordFolder
import threadgauge.store.SummaryFile

/** How long the first page over 1,000 records takes, where their summaries exist. */
@Tag("ports")
class ThousandRunsTest {
    @TempDir
    lateinit var place: Path

    @Test
    fun `the first page over a thousand records is there within a second, cold and warm`() {
        thousandRuns()
        val server = serverOf(place)
        server.use {
            fun firstPage() = millis { it.get("/").body shouldContain "1,000 runs, the newest first." }
            val cold = firstPage()
            val warm = List(5) { firstPage() }.sorted()
            val search = millis { it.get("/?q=example+ktor&page=20").body shouldContain "1,000 of 1,000 runs" }
            println(
                "1,000 runs: first page %.0f ms, later pages %.0f ms, a search %.0f ms".format(cold, warm[2], search),
            )
            cold shouldBeLessThan 1_000.0
            warm[2] shouldBeLessThan 300.0
        }
    }

    /** Small records with the summary of a run of four stacks, each under a name and a time of its own. */
    private fun thousandRuns() {
        val example = exampleRecord()
        val summary = summaryOf(example, judge(example))
        val small = RecordFolder(place.resolve("r-0")).create()
        small.write(recordOf(mapOf("a" to listOf(1_000.0))))
        repeat(1_000) { at ->
            val folder = place.resolve("r-$at").createDirectories()
            val record = folder.resolve("record.json")
            if (at > 0) Files.copy(small.path.resolve("record.json"), record)
            val started = "2026-01-01T%02d:%02d:00Z".format(at / 60, at % 60)
            SummaryFile(RecordFolder(folder)).write(summary.copy(id = "r-$at", startedAt = started))
        }
    }

    private fun millis(work: () -> Unit): Double {
        val start = System.nanoTime()
        work()
        return (System.nanoTime() - start) / 1e6
    }
}

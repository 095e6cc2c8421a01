package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.judge
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.report.format.NumberedDoubts
import threadgauge.report.format.ReportContext
import threadgauge.report.format.openCauses
import threadgauge.store.unpack

/** The runs of `docs/records` as a terminal shows them. They were measured on a machine that others used. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedRunsTest {
    private lateinit var runs: List<Judged>

    @BeforeAll
    fun read(@TempDir folder: Path) {
        runs = RECORDS.listDirectoryEntries().filter { it.extension == "zip" }.sorted()
            .flatMap { unpack(it, Files.createTempDirectory(folder, "records")) }
            .map { it.read() }.filter { it.plan.knee == null }
            .map { Judged(it, judge(it)) }
    }

    @Test
    fun `a run of four stacks in three situations fits a screen of 60 lines and 110 columns`() {
        val likeTheTour = runs.filter { (it.record.plan.stacks.size to it.judgement.situations.size) == (4 to 3) }
        likeTheTour.map { it.record.plan.experiment.name }.sorted() shouldBe
            listOf("computing", "offloading", "tour", "waiting")
        likeTheTour.forEach {
            val lines = it.terminal()
            withClue(it.record.id) { lines.size shouldBeLessThanOrEqual 60 }
            lines.last { line -> line.isNotBlank() } shouldContain "report.html"
        }
    }

    @Test
    fun `no recorded run prints more than four causes, or a line too long`() = runs.forEach {
        withClue(it.record.id) {
            val lines = it.terminal()
            lines.filter { line -> line.length > 110 }.shouldBeEmpty()
            val doubts = lines.dropWhile { line -> !line.startsWith("Doubts, worst first") }
                .takeWhile(String::isNotBlank)
            val causes = ReportContext(it.record, it.judgement).openCauses.size
            doubts.count { line -> line.startsWith("- ") } shouldBe minOf(causes, 4)
            doubts.any { line -> "more in the report" in line } shouldBe (causes > 4)
        }
    }

    @Test
    fun `every doubt of a recorded run has a cause, and a number in the report`() = runs.forEach {
        val judgement = it.judgement
        val numbered = NumberedDoubts(judgement).all
        withClue(it.record.id) {
            numbered.map { doubt -> doubt.number } shouldBe (1..numbered.size).toList()
            val cells = judgement.situations.flatMap { judged -> judged.cells }
            val found = judgement.doubts + cells.flatMap { cell -> cell.doubts }
            found.filterNot { doubt -> numbered.any { known -> known.doubt.id == doubt.id } }.shouldBeEmpty()
            judgement.causes.filterNot { cause -> numbered.any { known -> known.cause == cause } }.shouldBeEmpty()
        }
    }

    private class Judged(val record: Record, val judgement: Judgement) {
        fun terminal(): List<String> = Terminal(ansiLevel = AnsiLevel.NONE, width = 110, interactive = false)
            .render(terminalReport(record, judgement, "results/${record.id}/report.html"))
            .lines().map { it.trimEnd() }
    }
}

private val RECORDS = Path.of("../docs/records")

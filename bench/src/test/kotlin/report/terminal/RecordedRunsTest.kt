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
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.judge
import threadgauge.model.Record
import threadgauge.report.format.NumberedDoubts
import threadgauge.report.format.ReportContext
import threadgauge.report.format.openCauses
import threadgauge.store.unpack

/** The runs of `docs/records` as a terminal shows them. They were measured on a machine that others used. */
class RecordedRunsTest {
    @TempDir
    private lateinit var folder: Path

    @Test
    fun `a run of four stacks in three situations fits a screen of 60 lines and 110 columns`() {
        val likeTheTour = runs().filter {
            it.plan.stacks.size == 4 && it.plan.experiment.situations.size == 3 && it.plan.experiment.claims.isEmpty()
        }
        withClue("there is one") { likeTheTour.map { it.id.substringBefore("-2026") } shouldBe listOf("waiting") }
        likeTheTour.forEach { record ->
            val lines = terminal(record)
            lines.size shouldBeLessThanOrEqual 60
            lines.last { it.isNotBlank() } shouldContain "report.html"
        }
    }

    @Test
    fun `no recorded run prints more than four causes, or a line too long`() = runs().forEach { record ->
        withClue(record.id) {
            val lines = terminal(record)
            lines.filter { it.length > 110 }.shouldBeEmpty()
            val doubts = lines.dropWhile { !it.startsWith("Doubts, worst first") }.takeWhile { it.isNotBlank() }
            val causes = ReportContext(record, judge(record)).openCauses.size
            doubts.count { it.startsWith("- ") } shouldBe minOf(causes, 4)
            doubts.any { "more in the report" in it } shouldBe (causes > 4)
        }
    }

    @Test
    fun `every doubt of a recorded run has a cause, and a number in the report`() = runs().forEach { record ->
        val judgement = judge(record)
        val numbered = NumberedDoubts(judgement).all
        withClue(record.id) {
            numbered.map { it.number } shouldBe (1..numbered.size).toList()
            val found = judgement.doubts + judgement.situations.flatMap { it.cells }.flatMap { it.doubts }
            found.filterNot { doubt -> numbered.any { it.doubt.id == doubt.id } }.shouldBeEmpty()
            judgement.causes.filterNot { cause -> numbered.any { it.cause == cause } }.shouldBeEmpty()
        }
    }

    private fun runs(): List<Record> = RECORDS.listDirectoryEntries().filter { it.extension == "zip" }.sorted()
        .flatMap { unpack(it, Files.createTempDirectory(folder, "records")) }
        .map { it.read() }
        .filter { it.plan.knee == null }

    private fun terminal(record: Record): List<String> =
        Terminal(ansiLevel = AnsiLevel.NONE, width = 110, interactive = false)
            .render(terminalReport(record, judge(record), "results/${record.id}/report.html"))
            .lines().map { it.trimEnd() }
}

private val RECORDS = Path.of("../docs/records")

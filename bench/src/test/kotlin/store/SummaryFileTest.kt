package threadgauge.store

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.history.summaryOf
import threadgauge.judge.judge
import threadgauge.model.RunSummary
import threadgauge.report.exampleRecord

class SummaryFileTest {
    @TempDir
    lateinit var temporary: Path

    private val folder by lazy { RecordFolder(temporary.resolve("example-1")).create() }
    private val file get() = folder.path.resolve("summary.json")
    private val record = exampleRecord()

    /** The question looks like the key before which the head ends. */
    private val summary =
        summaryOf(record, judge(record)).copy(question = "Is ,\"situations\":[ a key?", savedAs = "main")

    @Test
    fun `a summary is read back, and its head without the figures`() {
        folder.write(record)
        SummaryFile(folder).write(summary)
        SummaryFile(folder).read() shouldBe summary
        SummaryFile(folder).readHead() shouldBe summary.copy(situations = emptyList())
        SummaryFile(folder).write(summary.copy(situations = emptyList()))
        SummaryFile(folder).readHead() shouldBe summary.copy(situations = emptyList())
    }

    @Test
    fun `a summary of another version, of another record, and one that is broken count as none`() {
        folder.write(record)
        SummaryFile(folder).write(summary)
        val text = file.readText()
        val version = "\"schema\":${RunSummary.SCHEMA}"
        text shouldContain version
        file.writeText(text.replace(version, "\"schema\":${RunSummary.SCHEMA + 1}"))
        SummaryFile(folder).readHead().shouldBeNull()
        file.writeText(text.take(200))
        SummaryFile(folder).readHead().shouldBeNull()
        file.writeText(text)
        SummaryFile(folder).read() shouldBe summary
        Files.setLastModifiedTime(file, FileTime.fromMillis(0))
        SummaryFile(folder).read().shouldBeNull()
    }
}

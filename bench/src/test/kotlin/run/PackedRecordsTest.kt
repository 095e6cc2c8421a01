package threadgauge.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.report.exampleRecord
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes

class PackedRecordsTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `records come out as they went in, and the same ones give the same file`() {
        val records = listOf("b-20261122-120000", "a-20261122-110000").mapIndexed { index, name ->
            RecordFolder(folder.resolve(name)).create().also { it.write(exampleRecord(stacks = index + 1)) }
        }
        val (file, again) = listOf("one.zip", "other.zip").map(folder::resolve).onEach { pack(records, it) }
        file.readBytes() shouldBe again.readBytes()
        val out = unpack(file, folder.resolve("out"))
        out.map { it.path.name } shouldContainExactly records.map { it.path.name }
        out.map { it.read() } shouldContainExactly records.map { it.read() }
        unpack(file, folder.resolve("out")).map { it.read() } shouldContainExactly records.map { it.read() }
    }

    @Test
    fun `what is no packed record is refused, and nothing is written`() {
        val into = folder.resolve("into").createDirectory()
        fun refused(file: Path) = shouldThrow<UnreadableRecord> { unpack(file, into) }.message!!
        refused(Files.writeString(folder.resolve("text.zip"), "hello")) shouldContain "is no packed record"
        refused(zip("../../etc/record.json")) shouldContain "which is not <run>/record.json"
        refused(zip("run/record.json", "run/other.txt")) shouldContain "other.txt"
        refused(zip()) shouldContain "holds no record"
        refused(zip("run/record.json")) shouldContain "does not say its schema"
        into.listDirectoryEntries() shouldBe emptyList()
        val nothing = RecordFolder(folder.resolve("nothing"))
        shouldThrow<UnreadableRecord> { pack(listOf(nothing), folder.resolve("n.zip")) }
        val twice = listOf("a", "b").map { RecordFolder(folder.resolve("$it/same")).create().apply { write(exampleRecord()) } }
        shouldThrow<UnreadableRecord> { pack(twice, folder.resolve("n.zip")) }.message shouldContain "of one name"
        Files.exists(folder.resolve("n.zip")) shouldBe false
    }

    private fun zip(vararg names: String): Path {
        val file = Files.createTempFile(folder, "made", ".zip")
        ZipOutputStream(Files.newOutputStream(file)).use { zip ->
            names.forEach {
                zip.putNextEntry(ZipEntry(it))
                zip.write("{}".encodeToByteArray())
            }
        }
        return file
    }
}

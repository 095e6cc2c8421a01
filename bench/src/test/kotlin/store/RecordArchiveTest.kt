package threadgauge.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.report.exampleRecord
import threadgauge.wording.failure.words

class RecordArchiveTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `unpacked records equal packed ones, and the same records give the same file`() {
        val records = listOf("b-20261122-120000", "a-20261122-110000").mapIndexed { index, name ->
            RecordFolder(folder.resolve(name)).create().also { it.write(exampleRecord(stacks = index + 1)) }
        }
        val (file, again) = listOf("one.zip", "other.zip").map(folder::resolve).onEach { pack(records, it) }
        file.readBytes() shouldBe again.readBytes()
        val out = unpack(file, folder.resolve("out"))
        out.map { it.path.name } shouldContainExactly records.map { it.path.name }
        fun samples(of: List<RecordFolder>) = of.map { record -> record.read().trials.map { it.samples } }
        samples(out) shouldContainExactly samples(records)
        unpack(file, folder.resolve("out")).map { it.read() } shouldContainExactly out.map { it.read() }
    }

    @Test
    fun `a file that is no packed record is rejected, and nothing is written`() {
        val into = folder.resolve("into").createDirectory()
        fun refused(file: Path) = shouldThrow<UnreadableRecord> { unpack(file, into) }.words()
        refused(Files.writeString(folder.resolve("text.zip"), "hello")) shouldContain "is not a packed record"
        refused(zip("../../etc/record.json")) shouldContain "which is not <run>/record.json"
        refused(zip("run/record.json", "run/other.txt")) shouldContain "other.txt"
        val twins = zip("a/record.json", "b/record.json")
        val bytes = String(twins.readBytes(), Charsets.ISO_8859_1).replace("b/record.json", "a/record.json")
        refused(Files.write(twins, bytes.toByteArray(Charsets.ISO_8859_1))) shouldContain "the same name"
        refused(zip()) shouldContain "contains no record"
        refused(zip("run/record.json")) shouldContain "has no schema number"
        into.listDirectoryEntries() shouldBe emptyList()
        val nothing = RecordFolder(folder.resolve("nothing"))
        shouldThrow<UnreadableRecord> { pack(listOf(nothing), folder.resolve("n.zip")) }
        val twice =
            listOf("a", "b").map { RecordFolder(folder.resolve("$it/same")).create().apply { write(exampleRecord()) } }
        shouldThrow<UnreadableRecord> { pack(twice, folder.resolve("n.zip")) }.words() shouldContain "the same name"
        Files.exists(folder.resolve("n.zip")) shouldBe false
    }

    @Test
    fun `local paths are removed, and everything else is kept`() {
        val places = mapOf(
            "/usr/lib/jvm/jdk-25/bin/java" to "…/java",
            "-Ddata=jdbc:h2:file:/tmp/h2-69/articles;ACCESS_MODE_DATA=r" to
                "-Ddata=jdbc:h2:file:…/articles;ACCESS_MODE_DATA=r",
            "/opt/a.jar:/srv/ann/b.jar" to "…/a.jar:…/b.jar",
            "C:\\Users\\ann\\bench.jar" to "…/bench.jar",
            "--upstream=http://127.0.0.1:80/a/b" to "--upstream=http://127.0.0.1:80/a/b",
            "https://[::1]/a/b/c" to "https://[::1]/a/b/c",
            "{upstream}/delay/5" to "{upstream}/delay/5",
            "target/own.jar" to "target/own.jar",
            "/articles" to "/articles",
        )
        val record = exampleRecord()
        fun with(command: List<String>) = record.copy(
            trials = record.trials.map { it.copy(command = command) },
            plan = record.plan.copy(
                services = listOf(
                    Service("own", ServiceKind.DATABASE, command, "/srv/ann/own", "servers/own", emptyList(), command),
                ),
            ),
        )
        val from = RecordFolder(folder.resolve("run")).create().apply { write(with(places.keys.toList())) }
        val file = folder.resolve("one.zip").also { pack(listOf(from), it) }
        val there = unpack(file, folder.resolve("out")).single().read()
        there.trials.map { it.command }.distinct() shouldBe listOf(places.values.toList())
        there.plan.services.single().run { listOf(command, commandAtAddress) }
            .distinct() shouldBe listOf(places.values.toList())
        there.plan.services.single().folder shouldBe "…/own"
        there.plan.experiment shouldBe record.plan.experiment
        there.trials.map { it.samples } shouldBe record.trials.map { it.samples }
    }

    @Test
    fun `records that cannot be packed leave an earlier file unchanged, and no other file`() {
        val file = Files.writeString(folder.resolve("one.zip"), "former")
        val good = RecordFolder(folder.resolve("run")).create().apply { write(exampleRecord()) }
        val inTheWay = folder.resolve("taken").createDirectory().also { Files.writeString(it.resolve("file"), "") }
        shouldThrow<IOException> { pack(listOf(good), inTheWay) }
        shouldThrow<UnreadableRecord> { pack(listOf(RecordFolder(folder.resolve("nothing"))), file) }
        Files.readString(file) shouldBe "former"
        folder.listDirectoryEntries("*.next") shouldBe emptyList()
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

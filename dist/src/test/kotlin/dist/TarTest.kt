package threadgauge.dist

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.time.Instant
import kotlin.io.path.writeText
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class TarTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `order and times of files leave no trace, their content does`() {
        val one = file("one.jar", "1")
        val two = file("two.txt", "2")
        val before = tar(FileEntry("b/one.jar", one), FileEntry("a/two.txt", two, isExecutable = true))
        Files.setLastModifiedTime(one, FileTime.fromMillis(0))
        tar(FileEntry("a/two.txt", two, isExecutable = true), FileEntry("b/one.jar", one)) shouldBe before
        two.writeText("3")
        tar(FileEntry("a/two.txt", two, isExecutable = true), FileEntry("b/one.jar", one)) shouldNotBe before
    }

    @Test
    fun `equal jars are stored once, equal texts are not`() {
        val entries = listOf(
            FileEntry("x/a.jar", file("a.jar", "same")), FileEntry("y/b.jar", file("b.jar", "same")),
            FileEntry("z/c.jar", file("c.jar", "other")), FileEntry("z/d.txt", file("d.txt", "same")),
        )
        val read = entriesOf(tar(*entries.toTypedArray()))
        read.map { "${it.name} ${it.size} ${it.linkName}".trim() } shouldContainExactly
            listOf("x/a.jar 4", "y/b.jar 0 x/a.jar", "z/c.jar 5", "z/d.txt 4")
        read[1].isLink shouldBe true
    }

    @Test
    fun `links, folders and permissions are kept, and nobody owns a file`() {
        val read = entriesOf(
            tar(
                LinkEntry("l", "t"), FolderEntry("work", mode = 0x1ED, user = 7),
                TextEntry("t", "!", isExecutable = true),
            ),
        )
        read.map { it.name } shouldContainExactly listOf("l", "t", "work/")
        read[0].linkName shouldBe "t"
        (read[1].mode and 0x1FF) shouldBe 0x1ED
        read.map { it.longUserId } shouldContainExactly listOf(0L, 0L, 7L)
        read.map { it.lastModifiedTime.toInstant() }.distinct() shouldContainExactly listOf(STAMP)
    }

    private fun file(name: String, text: String) = folder.resolve(name).apply { writeText(text) }

    private fun tar(vararg entries: Entry): List<Byte> =
        ByteArrayOutputStream().also { writeTar(it, entries.asList(), STAMP) }.toByteArray().asList()

    private fun entriesOf(tar: List<Byte>) =
        TarArchiveInputStream(ByteArrayInputStream(tar.toByteArray())).use { input ->
            generateSequence { input.nextEntry }.toList()
        }

    private companion object {
        val STAMP: Instant = Instant.parse("2026-01-02T03:04:05Z")
    }
}

package threadgauge.server.database

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class UnpackedOnceTest {
    @TempDir
    lateinit var folder: Path

    private val shelf by lazy { folder.resolve("shelf").createDirectory() }
    private val times = AtomicInteger()

    @Test
    fun `a later call finds the unpacked folder`() {
        repeat(3) { unpacked().resolve("program").readText() shouldBe "runs" }
        times.get() shouldBe 1
    }

    @Test
    fun `concurrent calls get one folder, and leave no other`() {
        val start = CyclicBarrier(4)
        val folders = ConcurrentLinkedQueue<Path>()
        List(4) { Thread.ofPlatform().start { folders.add(unpacked(before = { start.await() })) } }
            .forEach { it.join() }
        folders.toList() shouldContainExactly List(4) { shelf.resolve("sql-1") }
        shelf.listDirectoryEntries().map { it.name } shouldContainExactly listOf("sql-1")
        shelf.resolve("sql-1/program").readText() shouldBe "runs"
    }

    @Test
    fun `a folder is never left half filled`() {
        shouldThrow<IOException> { unpackedOnce("sql-1", folder, shelf) { throw IOException("the disk is full") } }
        shelf.listDirectoryEntries() shouldBe emptyList()
        unpacked().resolve("program").readText() shouldBe "runs"
    }

    @Test
    fun `each call fills its own folder where the shared one cannot be written`() {
        unpackedOnce("sql-1", folder, null, ::unpack) shouldBe folder.resolve("sql-1")
        unpackedOnce("sql-2", folder, folder.resolve("nowhere"), ::unpack) shouldBe folder.resolve("sql-2")
        // A folder of another user cannot be entered. A file cannot either, not even by root.
        Files.createFile(shelf.resolve("sql-3"))
        unpackedOnce("sql-3", folder, shelf, ::unpack) shouldBe folder.resolve("sql-3")
    }

    @Test
    fun `the folder lies in the build that the program belongs to, whichever module starts it`() {
        buildFolderOf(Path.of("/somewhere/database/target/database.jar")) shouldBe Path.of("/somewhere/database/target")
        buildFolderOf(Path.of("/somewhere/mariadb/target/lib/database.jar")) shouldBe
            Path.of("/somewhere/mariadb/target")
        buildFolderOf(Path.of("/opt/threadgauge/lib/database.jar")) shouldBe null
    }

    private fun unpacked(before: () -> Unit = {}) = unpackedOnce("sql-1", folder, shelf) {
        before()
        unpack(it)
    }

    private fun unpack(to: Path) {
        times.incrementAndGet()
        Files.createDirectories(to).resolve("program").writeText("runs")
    }
}

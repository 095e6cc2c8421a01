package threadgauge.server.database

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
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

class UnpackedOnceTest {
    @TempDir
    lateinit var folder: Path

    private val shelf by lazy { folder.resolve("shelf").createDirectory() }
    private val times = AtomicInteger()

    @Test
    fun `whoever comes later finds what was unpacked`() {
        repeat(3) { asked().resolve("program").readText() shouldBe "runs" }
        times.get() shouldBe 1
    }

    @Test
    fun `those who come at the same time get one folder, and leave no other`() {
        val together = CyclicBarrier(4)
        val places = ConcurrentLinkedQueue<Path>()
        List(4) { Thread.ofPlatform().start { places.add(asked(before = { together.await() })) } }.forEach { it.join() }
        places.toList() shouldContainExactly List(4) { shelf.resolve("sql-1") }
        shelf.listDirectoryEntries().map { it.name } shouldContainExactly listOf("sql-1")
        shelf.resolve("sql-1/program").readText() shouldBe "runs"
    }

    @Test
    fun `half of it is never taken for the whole`() {
        shouldThrow<IOException> { unpackedOnce("sql-1", folder, shelf) { throw IOException("the disk is full") } }
        shelf.listDirectoryEntries() shouldBe emptyList()
        asked().resolve("program").readText() shouldBe "runs"
    }

    @Test
    fun `where nothing may be written beside the program, each has its own`() {
        unpackedOnce("sql-1", folder, null, ::unpack) shouldBe folder.resolve("sql-1")
        unpackedOnce("sql-2", folder, folder.resolve("nowhere"), ::unpack) shouldBe folder.resolve("sql-2")
        // A folder that is somebody else's cannot be entered; a file cannot either, not even by root.
        Files.createFile(shelf.resolve("sql-3"))
        unpackedOnce("sql-3", folder, shelf, ::unpack) shouldBe folder.resolve("sql-3")
    }

    private fun asked(before: () -> Unit = {}) = unpackedOnce("sql-1", folder, shelf) {
        before()
        unpack(it)
    }

    private fun unpack(to: Path) {
        times.incrementAndGet()
        Files.createDirectories(to).resolve("program").writeText("runs")
    }
}

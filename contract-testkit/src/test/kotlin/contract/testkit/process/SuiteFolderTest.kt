package threadgauge.contract.testkit.process

import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Two that ask stand for two modules, whose processes have nothing in common but the folder. */
@Tag("processes")
class SuiteFolderTest {
    @TempDir
    lateinit var folder: Path
    private val owner = ProcessBuilder("sleep", "60").start()
    private var starts = 0

    @AfterEach
    fun endOwner() {
        owner.destroyForcibly().waitFor()
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10)
        while (left() != listOf("lock") && System.nanoTime() < end) Thread.sleep(20)
    }

    @Test
    fun `a service is started once, and ends and takes its folder along when its owner is killed`() {
        val given = ask("example")
        given.getValue("told") shouldBe "${folder.resolve("example/own")}"
        ask("example") shouldBe given
        starts shouldBe 1
        val service = ProcessHandle.of(given.getValue("pid").toLong()).orElseThrow()
        service.isAlive shouldBe true

        endOwner()
        service.isAlive shouldBe false
        left() shouldBe listOf("lock")
    }

    @Test
    fun `what a start that failed left behind is started anew, and others are apart`() {
        folder.resolve("broken/own").toFile().mkdirs()
        val given = ask("broken")
        (ask("other") == given) shouldBe false
        starts shouldBe 2
    }

    private fun left() = folder.listDirectoryEntries().map { "${it.fileName}" }

    private fun ask(name: String): Map<String, String> {
        val shared = SuiteFolder(folder, "${owner.pid()}")
        return shared.placesOf(name) {
            starts++
            ServiceProcess(ExampleService::class.java.name, listOf("$it"), shared.leash(it))
        }
    }
}

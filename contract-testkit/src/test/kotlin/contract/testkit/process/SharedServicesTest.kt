package threadgauge.contract.testkit.process

import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.listDirectoryEntries
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Each use stands for a module, whose processes share nothing with those of other modules but the folder. */
@Tag("processes")
class SharedServicesTest {
    @TempDir
    lateinit var folder: Path
    private val owner = ProcessBuilder("sleep", "60").start()
    private var starts = 0

    @AfterEach
    fun endOwner() {
        owner.destroyForcibly().waitFor()
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (left() != listOf("lock") && System.nanoTime() < end) Thread.sleep(20)
    }

    @Test
    fun `a service starts once, and ends and removes its folder when its owner is killed`() {
        val endpoints = use("example")
        endpoints.getValue("arguments") shouldBe "${folder.resolve("example/own")}"
        use("example") shouldBe endpoints
        starts shouldBe 1
        val service = ProcessHandle.of(endpoints.getValue("pid").toLong()).orElseThrow()
        service.isAlive shouldBe true

        endOwner()
        service.isAlive shouldBe false
        left() shouldBe listOf("lock")
    }

    @Test
    fun `a service whose start failed is started anew, and services with other names are separate`() {
        folder.resolve("broken/own").toFile().mkdirs()
        val endpoints = use("broken")
        (use("other") == endpoints) shouldBe false
        starts shouldBe 2
    }

    private fun left() = folder.listDirectoryEntries().map { "${it.fileName}" }

    private fun use(name: String): Map<String, String> {
        val shared = SharedServices(folder, "${owner.pid()}")
        return shared.endpointsOf(name) {
            starts++
            ServiceProcess(ExampleService::class.java.name, listOf("$it"), shared.supervisor(it))
        }
    }
}

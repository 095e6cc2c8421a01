package threadgauge.target

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createFile
import kotlin.io.path.exists
import kotlin.io.path.isWritable
import kotlin.io.path.readBytes
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class AwakeCoresTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `without the device no file is created`() {
        val missing = temporary.resolve("cpu_dma_latency")
        AwakeCores.hold(missing).use { it.areAwake.shouldBeFalse() }
        missing.exists().shouldBeFalse()
    }

    @Test
    fun `a regular file instead of the device is left unchanged`() {
        val file = temporary.resolve("cpu_dma_latency").createFile()
        AwakeCores.hold(file).use { it.areAwake.shouldBeFalse() }
        file.readBytes().size shouldBe 0
    }

    @Test
    fun `on Linux, a user with permission gets it`() {
        val device = Path.of("/dev/cpu_dma_latency")
        assumeTrue(device.isWritable())
        AwakeCores.hold(device).use { it.areAwake.shouldBeTrue() }
    }
}

package threadgauge.probe

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList

class ReferenceLoopTest {
    @Test
    fun `the work is short, and takes as long the second time unless the machine is disturbed`() {
        ReferenceLoop {}.use { loop ->
            loop.run()
            val times = List(15) { loop.run().medianMicros }.sorted()
            // A core of 1 to 6 GHz, also on a machine that is busy with other tests.
            times.first().shouldBeBetween(300.0, 20_000.0, 0.0)
            times[3] shouldBeLessThan 2 * times.first()
        }
    }

    @Test
    fun `its own thread is moved, once`() {
        if (!Files.exists(Path.of("/proc/thread-self"))) return
        val moved = CopyOnWriteArrayList<Long>()
        ReferenceLoop(moved::add).use { repeat(2) { _ -> it.run() } }
        moved shouldHaveSize 1
        moved.single() shouldBeGreaterThan 0
    }
}

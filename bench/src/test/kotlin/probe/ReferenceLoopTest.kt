package threadgauge.probe

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import org.junit.jupiter.api.Test

class ReferenceLoopTest {
    @Test
    fun `the work is short, and takes as long the second time unless the machine is disturbed`() {
        ReferenceLoop {}.use { loop ->
            loop.run()
            // Other tests take the cores for a while; four runs that nobody disturbs come sooner or later, if the work
            // is the same.
            val times = sortedSetOf<Double>()
            repeat(300) {
                if (times.size < 15 || times.elementAt(3) >= 2 * times.first()) times += loop.run().medianMicros
            }
            // A core of 1 to 6 GHz, also on a machine that is busy with other tests.
            times.first().shouldBeBetween(300.0, 20_000.0, 0.0)
            times.elementAt(3) shouldBeLessThan 2 * times.first()
        }
    }

    @Test
    fun `it watches as long as it shall, also where every core is busy`() {
        ReferenceLoop {}.use { loop ->
            loop.watched() shouldBe null
            val isOver = AtomicBoolean()
            val others = List(Runtime.getRuntime().availableProcessors()) {
                thread { while (!isOver.get()) Thread.onSpinWait() }
            }
            loop.watch()
            Thread.sleep(500)
            isOver.set(true)
            loop.watched().shouldNotBeNull().shouldBeBetween(300.0, 20_000.0, 0.0)
            others.forEach { it.join() }
            loop.watched() shouldBe null
        }
    }

    @Test
    fun `a watch that nobody ends is ended by what comes next`() {
        ReferenceLoop {}.use { loop ->
            loop.watch()
            loop.run().medianMicros shouldBeGreaterThan 0.0
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

package threadgauge.probe

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.profile.NoProfile
import threadgauge.model.profile.NoProfileReason

@Tag("processes")
class ProbesTest {
    private val own = ProcessHandle.current().pid()

    @Test
    fun `a process that computes for half a second used that much user time`() {
        val probe = ProcessProbe.of(own)
        val bean = java.lang.management.ManagementFactory.getThreadMXBean()
        val before = probe.read()!!
        val startCpu = bean.currentThreadCpuTime
        var sum = 0.0
        while (bean.currentThreadCpuTime - startCpu < 500_000_000) for (i in 1..100_000) sum += Math.sqrt(i.toDouble())
        val after = probe.read()!!
        sum shouldBeGreaterThan 0.0
        (after.cpuUserMillis - before.cpuUserMillis).shouldBeBetween(440.0, 5_000.0, 0.0)
        after.rssBytes shouldBeGreaterThan 10_000_000
        after.threads shouldBeGreaterThan 1
    }

    @Test
    fun `processor time of a process is no multiple of a tick`() {
        val bean = java.lang.management.ManagementFactory.getThreadMXBean()
        val probe = ProcessProbe.of(own)
        fun all() = probe.read()!!.cpuMillis
        val steps = List(5) {
            val (before, startCpu) = all() to bean.currentThreadCpuTime
            var sum = 0.0
            while (bean.currentThreadCpuTime - startCpu < 3_000_000) for (i in 1..1_000) sum += Math.sqrt(i.toDouble())
            sum shouldBeGreaterThan 0.0
            (all() - before).also { it.shouldBeBetween(2.9, 1_000.0, 0.0) }
        }
        steps.count { it % 10 in 0.01..9.99 } shouldBeGreaterThan 0
        ProcessClock.nanos(Long.MAX_VALUE).shouldBeNull()
        ProcessClock.nanos(ProcessHandle.current().pid())!! shouldBeGreaterThan 0
    }

    @Test
    fun `what was used is never negative, and sums to the exact time, however the ticks fall`() {
        fun reading(user: Double, system: Double, all: Double) = ProcessReading(0, user, system, 0, 1, all)
        val first = reading(user = 100.0, system = 50.0, all = 159.0)
        reading(110.0, 50.0, 161.0).spentSince(first).let {
            it.userMillis shouldBe 2.0
            it.systemMillis shouldBe 0.0
        }
        reading(110.0, 60.0, 175.0).spentSince(first).let {
            it.userMillis shouldBe 8.0
            it.systemMillis shouldBe 8.0
        }
        reading(100.0, 50.0, 162.0).spentSince(first).let {
            it.userMillis shouldBe (2.0 plusOrMinus 1e-9)
            it.systemMillis shouldBe (1.0 plusOrMinus 1e-9)
        }
    }

    @Test
    fun `processor time is told exactly, and does not go on at rest`() {
        val probe = ProcessProbe.of(own)
        val bean = java.lang.management.ManagementFactory.getThreadMXBean()
        val (before, startCpu) = probe.read()!!.cpuMillis to bean.currentThreadCpuTime
        var sum = 0.0
        while (bean.currentThreadCpuTime - startCpu < 50_000_000) for (i in 1..10_000) sum += Math.sqrt(i.toDouble())
        sum shouldBeGreaterThan 0.0
        // Other threads of this process may be at work, too.
        (probe.read()!!.cpuMillis - before).shouldBeBetween(49.0, 5_000.0, 0.0)
        ProcessProbe.of(Long.MAX_VALUE).read().shouldBeNull()
    }

    @Test
    fun `a start is watched until it is over`() {
        val sampler = StartSampler(ProcessProbe.of(own))
        Thread.sleep(700)
        val used = sampler.stop()!!
        used.millis shouldBeGreaterThan 100.0
        used.peakCores!!.shouldBeBetween(0.0, Runtime.getRuntime().availableProcessors() * 1.1, 0.0)
        StartSampler(ProcessProbe.of(Long.MAX_VALUE)).stop().shouldBeNull()
    }

    @Test
    fun `sleeping switches voluntarily`() {
        ProcessProbe.of(own).switches() ?: return
        // A process of its own, with one thread: those of this JVM come and go, and take their switches along.
        val sleeper = ProcessBuilder(
            "bash", "-c", "exec 3<> <(:); for i in {1..50}; do read -t 0.01 -u 3; done; echo slept; read -u 3",
        ).start()
        try {
            sleeper.inputReader().readLine() shouldBe "slept"
            ProcessProbe.of(sleeper.pid()).switches()!!.voluntary shouldBeGreaterThan 49
        } finally {
            sleeper.destroyForcibly()
        }
    }

    @Test
    fun `files that are opened are counted, and are fewer than the limit`() {
        val probe = ProcessProbe.of(own)
        val before = probe.openFiles() ?: return
        val opened = List(20) { Path.of("/proc/self/stat").toFile().inputStream() }
        probe.openFiles()!! shouldBeGreaterThan before + 10
        opened.forEach { it.close() }
        probe.openFilesLimit()!! shouldBeGreaterThan before
    }

    @Test
    fun `a process that is gone has no reading`() {
        val gone = ProcessBuilder("true").start().also { it.waitFor() }.pid()
        ProcessProbe.of(gone).read().shouldBeNull()
        ProcessProbe.of(gone).openFiles().shouldBeNull()
        ProcessProbe.of(gone).openFilesLimit().shouldBeNull()
        JvmProbe.attach(gone).shouldBeNull()
    }

    @Test
    fun `a window of known length has its readings at its start, each second, and its end`() {
        val start = System.nanoTime() + 20_000_000
        val series =
            ProcessSampler(ProcessProbe.of(own), start, windowNanos = 1_300_000_000).also { Thread.sleep(1_400) }.stop()
        series.readings shouldHaveSize 3
        (series.readings.last().atNanos - series.readings.first().atNanos).toDouble()
            .shouldBeBetween(1.25e9, 1.5e9, 0.0)
        series.seconds() shouldHaveSize 2
    }

    @Test
    fun `a window of unknown length ends when it is told to`() {
        val sampler = ProcessSampler(ProcessProbe.of(own), System.nanoTime(), windowNanos = 0)
        Thread.sleep(250)
        sampler.stop().readings shouldHaveSize 2
    }

    @Test
    fun `a JVM that was not prepared for it tells its counters`() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val target = ProcessBuilder(
            java, "-Xmx128m", "-cp", System.getProperty("java.class.path"), "threadgauge.probe.Allocator",
        ).start()
        try {
            target.inputReader().readLine() shouldBe "running"
            val probe = JvmProbe.attach(target.pid()).shouldNotBeNull()
            probe.use {
                val before = it.read()
                Thread.sleep(500)
                val after = it.read()
                after.since(before).allocatedBytes!! shouldBeGreaterThan 10_000_000
                after.since(before).collections shouldBeGreaterThan 0
                after.compileMillis shouldBeGreaterThan 0.0
                after.loadedClasses shouldBeGreaterThan 500
                after.codeCacheBytes shouldBeGreaterThan 100_000
                after.platformThreads shouldBeGreaterThan 1
            }
        } finally {
            target.destroyForcibly().waitFor()
        }
    }

    @Test
    fun `a JVM that forbids it is not observed, and it is said`() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val target = ProcessBuilder(
            java, "-XX:+DisableAttachMechanism", "-cp", System.getProperty("java.class.path"),
            "threadgauge.probe.Allocator",
        ).start()
        try {
            target.inputReader().readLine() shouldBe "running"
            val refused = ArrayList<NoProfile>()
            JvmProbe.attach(target.pid(), refused::add).shouldBeNull()
            refused.single().reason shouldBe NoProfileReason.REFUSED
            refused.single().detail.shouldNotBeNull()
            target.isAlive shouldBe true
        } finally {
            target.destroyForcibly().waitFor()
        }
    }
}

/** Makes garbage until it is killed. */
object Allocator {
    @JvmStatic
    fun main(arguments: Array<String>) {
        println("running")
        val kept = arrayOfNulls<ByteArray>(64)
        var i = 0
        while (true) {
            kept[i++ % kept.size] = ByteArray(1_000_000)
            if (i % 20 == 0) Thread.sleep(1)
        }
    }
}

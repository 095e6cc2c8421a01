package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.profile.Frame
import threadgauge.model.profile.SeenThreads
import threadgauge.probe.profile.dump.DumpedThread
import threadgauge.probe.profile.dump.ThreadDumper
import threadgauge.probe.profile.dump.frameIn
import threadgauge.probe.profile.dump.readDump

class SeenSumsTest {
    @TempDir
    lateinit var folder: Path

    private val traces = TraceTable()

    @Test
    fun `a dump of this JVM has its threads of both kinds, by group, state and place`() {
        val seen = seenWith(virtual = 2_000, platform = 3) { dumper(java = 25) }
        val waiting = seen.single { it.isVirtual && it.threads == "waiter-#" }
        waiting.mean shouldBe 2_000.0
        waiting.state shouldBe "WAITING"
        waiting.on.shouldNotBeNull() shouldStartWith "java.util.concurrent.CountDownLatch"
        waiting.place() shouldBe "SeenSumsTest.kt"
        val platform = seen.single { !it.isVirtual && it.threads == "seen-#-platform" }
        platform.mean shouldBe 3.0
        platform.state shouldBe "WAITING"
        seen.filter { it.threads in setOf("Reference Handler", "Finalizer", "Common-Cleaner") }.shouldBeEmpty()
    }

    @Test
    fun `before files had states, platform threads are asked for apart`() {
        val seen = seenWith(virtual = 20, platform = 3) { dumper(java = 21) }
        seen.single { it.isVirtual && it.threads == "waiter-#" }.mean shouldBe 20.0
        seen.count { it.threads == "seen-#-platform" } shouldBe 1
        seen.single { it.threads == "seen-#-platform" }.let {
            it.isVirtual shouldBe false
            it.mean shouldBe 3.0
            it.on.shouldNotBeNull() shouldStartWith "java.util.concurrent.CountDownLatch"
        }
    }

    @Test
    fun `where no file can be read, there are platform threads alone`() {
        val connection = ManagementFactory.getPlatformMBeanServer()
        val seen = seenWith(virtual = 20, platform = 3) { ThreadDumper(connection, 25, folder = null) }
        seen.filter { it.isVirtual }.shouldBeEmpty()
        seen.single { it.threads == "seen-#-platform" }.mean shouldBe 3.0
    }

    @Test
    fun `the format of older JVMs is read`() {
        val old = """
            {"threadDump": {"processId": "1", "runtimeVersion": "21", "threadContainers": [
              {"container": "<root>", "parent": null, "owner": null, "threads": [
                {"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.sleep0(Native Method)",
                  "app//shop.Shop.main(Shop.java:7)"]},
                {"tid": 22, "name": "", "stack": ["shop.Shop${'$'}${'$'}Lambda/0x0000abc.run(Unknown Source)", "junk"]}
              ], "threadCount": "2"},
              {"container": "ForkJoinPool", "parent": "<root>", "owner": null, "threads": [], "threadCount": "0"}
            ]}}
        """.trimIndent()
        val threads = ArrayList<DumpedThread>()
        readDump(old.byteInputStream(), threads::add)
        threads.map { it.tid to it.name } shouldBe listOf("1" to "main", "22" to "")
        threads.first().state.shouldBeNull()
        threads.first().stack.mapNotNull(::frameIn) shouldBe
            listOf(Frame("java.lang.Thread", "sleep0"), Frame("shop.Shop", "main", 7, "Shop.java"))
        threads.last().stack.mapNotNull(::frameIn) shouldBe listOf(Frame("shop.Shop${'$'}${'$'}Lambda", "run"))
    }

    @Test
    fun `means are over all dumps`() {
        val dumper = dumper(java = 25)
        val sums = SeenSums(traces)
        val seen = withThreads(virtual = 0, platform = 2) {
            sums.add(dumper.dump())
            withThreads(virtual = 0, platform = 2) { sums.add(dumper.dump()) }
            sums.seen()
        }
        sums.dumps shouldBe 2
        seen.filter { it.threads == "seen-#-platform" }.sumOf { it.mean } shouldBe 3.0
        traces.fileOf("threadgauge.probe.profile.SeenSumsTest") shouldBe "SeenSumsTest.kt"
        listOf("SeenSumsTest.kt") shouldContain traces.fileOf("threadgauge.probe.profile.SeenSumsTest\$other")
    }

    private fun dumper(java: Int) = ThreadDumper(ManagementFactory.getPlatformMBeanServer(), java, folder)

    private fun seenWith(virtual: Int, platform: Int, dumper: () -> ThreadDumper): List<SeenThreads> =
        withThreads(virtual, platform) { SeenSums(traces).apply { add(dumper().dump()) }.seen() }

    /** Threads that wait for a latch while [work] runs. */
    private fun <T> withThreads(virtual: Int, platform: Int, work: () -> T): T {
        val latch = CountDownLatch(1)
        val threads = List(virtual) { Thread.ofVirtual().name("waiter-$it").start { latch.await() } } +
            List(platform) { thread(name = "seen-$it-platform") { latch.await() } }
        while (threads.any { it.state != Thread.State.WAITING }) Thread.sleep(1)
        return try {
            work()
        } finally {
            latch.countDown()
            threads.forEach { it.join() }
        }
    }

    private fun SeenThreads.place() =
        traces[trace].frames.first { it.type.startsWith("threadgauge.probe.profile.SeenSumsTest") }.file
}

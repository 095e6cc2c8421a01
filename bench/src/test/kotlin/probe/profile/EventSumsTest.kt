package threadgauge.probe.profile

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import kotlin.concurrent.thread
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.profile.Frame
import threadgauge.model.profile.WaitCause
import threadgauge.model.profile.Waits

/** Events that this JVM records of itself. */
@Tag("ports")
class EventSumsTest {
    @TempDir
    lateinit var folder: Path

    private val traces = TraceTable().apply { learn("threadgauge.probe.profile.EventSumsTest", "EventSumsTest.kt") }
    private var line = 0

    @Test
    fun `a sleep has its place, its group and its length`() {
        val wait = waits { run("nap-1-worker", ::nap) }
            .single { it.cause == WaitCause.SLEEP && it.threads == "nap-#-worker" }
        wait.count shouldBe 1
        wait.isVirtual shouldBe false
        wait.millis.shouldBeBetween(49.0, 5_000.0, 0.0)
        wait.place() shouldBe Frame("threadgauge.probe.profile.EventSumsTest", "nap", line, "EventSumsTest.kt")
    }

    @Test
    fun `a virtual thread is told apart`() {
        val waits = waits {
            Thread.ofVirtual().start(::nap).join()
            Thread.ofVirtual().name("order-17").start(::nap).join()
        }.filter { it.isVirtual && it.cause == WaitCause.SLEEP }
        waits.map { it.threads }.toSet() shouldBe setOf("virtual", "order-#")
    }

    @Test
    fun `only the part within the window counts, of waits that end in it`() {
        val file = recorded { run("nap-1", ::nap) }
        val event = RecordingFile.readAllEvents(file)
            .single { it.eventType.name == SLEEP && it.thread.javaName == "nap-1" }
        val (start, end) = event.startTime.epochNanos to event.endTime.epochNanos
        fun millis(from: Long, to: Long) = EventSums(EventWindow(from, to), traces).apply { addAll(file) }.waits()
            .filter { it.threads == "nap-#" && it.cause == WaitCause.SLEEP }.sumOf { it.millis }
        millis(start - 1, end + 1) shouldBe (end - start) / 1e6
        millis(end - 10_000_000, end + 1) shouldBe 10.0
        millis(start - 1, end) shouldBe 0.0
        millis(end + 1, end + 2) shouldBe 0.0
    }

    @Test
    fun `a contended monitor is named by its class`() {
        val lock = Turnstile()
        val wait = waits {
            val held = CountDownLatch(1)
            val owner = thread(name = "owner") {
                synchronized(lock) {
                    held.countDown()
                    awaitBlocked("late-1")
                }
            }
            held.await()
            run("late-1") { synchronized(lock) { } }
            owner.join()
        }.single { it.cause == WaitCause.MONITOR && it.threads == "late-#" }
        wait.on shouldBe "threadgauge.probe.profile.EventSumsTest\$Turnstile"
        wait.millis.shouldBeBetween(20.0, 5_000.0, 0.0)
        wait.place().shouldNotBeNull()
    }

    @Test
    fun `a thread that is parked says for what`() {
        val wait = waits { run("parked-1") { Semaphore(0).tryAcquire(30, TimeUnit.MILLISECONDS) } }
            .single { it.cause == WaitCause.PARK && it.threads == "parked-#" }
        wait.on.shouldNotBeNull() shouldStartWith "java.util.concurrent.Semaphore"
        wait.millis.shouldBeBetween(25.0, 5_000.0, 0.0)
    }

    @Test
    fun `a read from a slow server names it`() {
        ServerSocket(0, 50, InetAddress.getLoopbackAddress()).use { server ->
            val wait = waits {
                val answer = thread {
                    server.accept().use {
                        Thread.sleep(60)
                        it.getOutputStream().write(1)
                    }
                }
                run("reader-1") { Socket(server.inetAddress, server.localPort).use { it.getInputStream().read() } }
                answer.join()
            }.single { it.cause == WaitCause.SOCKET_READ && it.threads == "reader-#" }
            wait.on.shouldNotBeNull().substringAfterLast(':') shouldBe "${server.localPort}"
            wait.millis.shouldBeBetween(20.0, 5_000.0, 0.0)
        }
    }

    @Test
    fun `threads that run are sampled, and named for the kernel's numbers`() {
        for (samplesCpuTime in listOf(true, false)) isSampled(recorded(samplesCpuTime) { run("runner-1", ::compute) })
    }

    private fun isSampled(file: Path) {
        val sums = EventSums(EventWindow(0, Long.MAX_VALUE), traces).apply { addAll(file) }
        val running = sums.running().filter { it.threads == "runner-#" }
        running.sumOf { it.samples } shouldBeGreaterThan 5
        val methods = running.mapNotNull { it.trace }.flatMap { traces[it].frames }.map { it.method }
        methods shouldContain "compute"
        sums.threadNames.values shouldContain "runner-1"
        sums.waits().filter { it.threads.startsWith("JFR ") }.shouldBeEmpty()
    }

    private fun nap() {
        Thread.sleep(50).also { line = Throwable().stackTrace.first { it.methodName == "nap" }.lineNumber }
    }

    private fun compute() {
        val end = System.nanoTime() + 500_000_000
        var sum = 0.0
        while (System.nanoTime() < end) for (i in 1..10_000) sum += Math.sqrt(i.toDouble())
        check(sum > 0)
    }

    /** Until the thread [name] waits for a lock, and 30 ms more. */
    private fun awaitBlocked(name: String) {
        fun isBlocked() =
            Thread.getAllStackTraces().keys.any { it.name == name && it.state == Thread.State.BLOCKED }
        while (!isBlocked()) Thread.sleep(1)
        Thread.sleep(30)
    }

    private fun run(name: String, work: () -> Unit) = thread(name = name) { work() }.join()

    private fun waits(work: () -> Unit): List<Waits> =
        EventSums(EventWindow(0, Long.MAX_VALUE), traces).apply { addAll(recorded(work = work)) }.waits()

    private fun recorded(samplesCpuTime: Boolean = true, work: () -> Unit): Path = Recording().use { recording ->
        recording.settings = eventSettings(samplesCpuTime)
        recording.start()
        work()
        recording.stop()
        folder.resolve("events.jfr").also { recording.dump(it) }
    }

    /** Where this class waits. */
    private fun Waits.place(): Frame? = trace?.let { traces[it] }?.frames
        ?.firstOrNull { it.type.startsWith("threadgauge.probe.profile.EventSumsTest") }

    private class Turnstile
}

package threadgauge.judge.cause

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import kotlin.random.Random
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.WaitCause

class TimeSplitTest {
    @Test
    fun `threads in a wait divided by the throughput are the time of a request`() {
        val because = ProfileOf(1_000.0, 200.0).group("http-nio-#-exec-#", 200, cpu = 0.5, ready = 1.0)
            .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 100.0, Traces.sleeping("tomcat"))
            .waits(WaitCause.SOCKET_READ, "http-nio-#-exec-#", 40.0, Traces.querying("tomcat"))
            .because(users = 200)
        because.millis(TimeKind.SLEEP) shouldBe (100.0 plusOrMinus 1e-6)
        because.millis(TimeKind.DATABASE) shouldBe (40.0 plusOrMinus 1e-6)
        because.millis(TimeKind.CPU) shouldBe (0.5 plusOrMinus 1e-6)
        because.millis(TimeKind.READY) shouldBe (1.0 plusOrMinus 1e-6)
        because.inFlight shouldBe (200.0 plusOrMinus 1e-6)
    }

    @Test
    fun `recorded waits are counted per request`() {
        val because = ProfileOf(100.0, 100.0).group("http-nio-#-exec-#", 20)
            .waits(WaitCause.SOCKET_READ, "http-nio-#-exec-#", 9.0, Traces.calling("tomcat"), count = 3_000)
            .seen("http-nio-#-exec-#", 2.0, Traces.sleeping("tomcat"), state = "TIMED_WAITING").because(users = 10)
        because.split.single { it.kind == TimeKind.BACKEND }.timesPerRequest shouldBe 3.0
        because.split.first { it.kind != TimeKind.BACKEND }.timesPerRequest shouldBe null
    }

    @Test
    fun `requests without a thread wait for one where all are busy, and otherwise without one`() {
        val busy = ProfileOf(1_000.0, 1_000.0).group("http-nio-#-exec-#", 200)
            .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 198.0, Traces.sleeping("tomcat")).because(users = 1_000)
        busy.millis(TimeKind.THREAD) shouldBe (802.0 plusOrMinus 1e-6)
        busy.split.first().group shouldBe "http-nio-#-exec-#"
        val free = ProfileOf(1_000.0, 1_000.0).group("reactor-http-epoll-#", 2, cpu = 0.5).because(users = 1_000)
        free.millis(TimeKind.ASYNCHRONOUS) shouldBe (999.5 plusOrMinus 1e-6)
        val unseen = ProfileOf(1_000.0, 1_000.0).group("reactor-http-epoll-#", 2, cpu = 0.5)
        unseen.because(users = 1_000, dumps = 0).millis(TimeKind.UNACCOUNTED) shouldBe (999.5 plusOrMinus 1e-6)
    }

    @Test
    fun `events count where they see the waits, and dumps where waits are too short for them`() {
        fun sleep(recorded: Double, seen: Double) = ProfileOf(1_000.0, 100.0).group("http-nio-#-exec-#", 200)
            .waits(WaitCause.SLEEP, "http-nio-#-exec-#", recorded, Traces.sleeping("tomcat"))
            .seen("http-nio-#-exec-#", seen, Traces.sleeping("tomcat"), state = "TIMED_WAITING")
            .because(users = 100).millis(TimeKind.SLEEP)
        sleep(recorded = 50.0, seen = 58.0) shouldBe (50.0 plusOrMinus 1e-6)
        sleep(recorded = 50.0, seen = 20.0) shouldBe (50.0 plusOrMinus 1e-6)
        sleep(recorded = 1.0, seen = 50.0) shouldBe (50.0 plusOrMinus 1e-6)
    }

    @Test
    fun `a request that waits for a pool's tasks has their time, once`() {
        val because = ProfileOf(100.0, 100.0).group("http-nio-#-exec-#", 20).group("pool-#-thread-#", 20)
            .waits(WaitCause.PARK, "http-nio-#-exec-#", 9.0, Traces.awaitingTask("tomcat"))
            .waits(WaitCause.SLEEP, "pool-#-thread-#", 7.0, Traces.task("java.lang.Thread.sleep"))
            .because(users = 10)
        because.millis(TimeKind.SLEEP) shouldBe (70.0 plusOrMinus 1e-6)
        because.millis(TimeKind.OTHER_THREAD) shouldBe (20.0 plusOrMinus 1e-6)
        because.overlap shouldBe 1.0
    }

    @Test
    fun `parts at the same time are shares of the latency, and it is said how much they overlap`() {
        val because = ProfileOf(100.0, 100.0).group("http-nio-#-exec-#", 20).group("pool-#-thread-#", 200)
            .waits(WaitCause.PARK, "http-nio-#-exec-#", 9.0, Traces.awaitingTask("tomcat"))
            .waits(WaitCause.SLEEP, "pool-#-thread-#", 40.0, Traces.task("java.lang.Thread.sleep"))
            .because(users = 10)
        because.overlap shouldBe (4.0 plusOrMinus 1e-6)
        because.split.map { it.kind } shouldContainExactly listOf(TimeKind.SLEEP)
    }

    @Test
    fun `the wait for a core at the end of a recorded wait is counted once`() {
        // A request sleeps for 8 ms, and its thread then waits 3 ms for a core: an event shows both as 11 ms.
        val because = ProfileOf(100.0, 12.0).group("http-nio-#-exec-#", 5, cpu = 0.1, ready = 0.3)
            .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 1.1, Traces.sleeping("tomcat")).because(users = 1)
        because.overlap shouldBe 1.0
        because.split.single { it.kind == TimeKind.SLEEP }.micros shouldBe (11_000.0 plusOrMinus 1e-6)
        because.split.single { it.kind == TimeKind.CPU }.micros shouldBe (1_000.0 plusOrMinus 1e-6)
        because.split.none { it.kind == TimeKind.READY } shouldBe true
    }

    @Test
    fun `threads that wait for work are in no request`() {
        val because = ProfileOf(100.0, 10.0).group("http-nio-#-exec-#", 20, cpu = 0.1)
            .waits(WaitCause.PARK, "http-nio-#-exec-#", 19.0, Traces.idleTomcat)
            .seen("http-nio-#-exec-#", 19.0, Traces.idleTomcat)
            .waits(WaitCause.SOCKET_READ, "connection", 30.0, Traces.ownConnection, virtual = true)
            .because(users = 1)
        because.split.map { it.kind } shouldContainExactly listOf(TimeKind.ASYNCHRONOUS, TimeKind.CPU)
    }

    @Test
    fun `parts of any profile sum to the mean, and none is negative`() {
        val random = Random(7)
        repeat(300) { round ->
            val because = randomProfile(random).because(users = 1 + random.nextInt(500), dumps = random.nextInt(2) * 10)
            withClue("round $round: $because") {
                because.split.sumOf { it.micros } shouldBe (because.meanMicros plusOrMinus because.meanMicros * 1e-9)
                because.split.forEach { it.micros shouldBeGreaterThanOrEqual 0.0 }
                because.split.map { it.micros } shouldBe because.split.map { it.micros }.sortedDescending()
                because.overlap shouldBeGreaterThanOrEqual 1.0
            }
        }
    }

    @Test
    fun `profiling's cost is what the process lost against its own measurement`() {
        val record = recordOf(mapOf("a" to listOf(1_000.0, 1_010.0, 990.0)))
        val profile = ProfileOf(970.0, 51.5).group("http-nio-#-exec-#", 50, cpu = 0.5).profile()
        judge(record).situations.single().cells.single().because shouldBe null
        val profiled = record.copy(
            trials = record.trials.map { if (it.number == 2) it.copy(profiles = listOf(profile)) else it },
        )
        val because = judge(profiled).situations.single().cells.single().because!!
        because.trial shouldBe 2
        because.costShare!! shouldBe (1 - 970.0 / 1_010 plusOrMinus 1e-9)
        because.meanMicros shouldBeGreaterThan 0.0
    }

    private fun randomProfile(random: Random): ProfileOf {
        fun mean() = random.nextDouble() * listOf(0.01, 1.0, 50.0, 400.0).random(random)
        val made = ProfileOf(1 + random.nextDouble() * 5_000, 0.05 + random.nextDouble() * 500, 1 + random.nextInt(4))
        val groups = listOf("http-nio-#-exec-#" to "tomcat", "reactor-http-epoll-#" to "netty", "virtual" to "virtual")
        for ((name, kind) in groups.filter { random.nextBoolean() }) {
            val isVirtual = kind == "virtual"
            if (!isVirtual) made.group(name, 1 + random.nextInt(200), random.nextDouble() * 2, mean())
            made.waits(WaitCause.SLEEP, name, mean(), Traces.sleeping(kind), isVirtual)
            made.waits(WaitCause.SOCKET_READ, name, mean(), Traces.querying(kind), isVirtual)
            made.waits(WaitCause.PARK, name, mean(), Traces.awaitingTask(kind), isVirtual)
            made.seen(name, mean(), Traces.awaitingLock(kind), "BLOCKED", isVirtual)
            made.seen(name, mean(), Traces.sleeping(kind), "TIMED_WAITING", isVirtual)
        }
        if (random.nextBoolean()) {
            made.group("pool-#-thread-#", 10).waits(WaitCause.SLEEP, "pool-#-thread-#", mean(), Traces.task())
        }
        return made.pauses(random.nextDouble() * 0.5)
    }
}

private fun Because.millis(kind: TimeKind) = split.filter { it.kind == kind }.sumOf { it.micros } / 1e3

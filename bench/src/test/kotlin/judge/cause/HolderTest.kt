package threadgauge.judge.cause

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.cause.CodePlace
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.WaitCause

/** Each process has one known cause, and the numbers of threads and requests that it would have. */
class HolderTest {
    @Test
    fun `a processor at its limit, with the user's method that costs most`() {
        val made = ProfileOf(perSecond = 20_000.0, meanMillis = 3.2)
            .group(TOMCAT, 60, cpu = 1.9, ready = 40.0).group("G# Conc##", 2, cpu = 0.05, isOfJvm = true)
            .seen(TOMCAT, 50.0, Traces.computing("tomcat"), state = "RUNNABLE")
            .runs(TOMCAT, 120, Traces.computing("tomcat")).runs(TOMCAT, 880, Traces.idleTomcat)
        val holder = made.because(users = 64).holder.shouldBeInstanceOf<Holder.Processor>()
        holder.busyShare shouldBe (0.975 plusOrMinus 1e-9)
        holder.hottest!!.share shouldBe 0.12
        holder.hottest!!.place.position shouldBe "Price.kt:20"
    }

    @Test
    fun `whether the processor is busy is said by what was measured, because profiles cost and slow`() {
        val waiting = ProfileOf(perSecond = 1_960.0, meanMillis = 204.0, cores = 1)
            .group(TOMCAT, 200, cpu = 0.5).group("RMI TCP Connection(#)-#.#.#.#", 1, cpu = 0.48, isOfJvm = true)
            .waits(WaitCause.SLEEP, TOMCAT, 199.0, Traces.sleeping("tomcat"))
            .seen(TOMCAT, 200.0, Traces.sleeping("tomcat"), state = "TIMED_WAITING")
        waiting.because(users = 400).holder.shouldBeInstanceOf<Holder.Processor>()
        val holder = waiting.because(users = 400, measuredCores = 0.32).holder
        holder.shouldBeInstanceOf<Holder.RequestThreads>().threads shouldBe 200
        // Where profiling fills the processor, it is not other programs that threads wait for.
        val crowded = ProfileOf(perSecond = 1_960.0, meanMillis = 204.0, cores = 1)
            .group(TOMCAT, 200, cpu = 0.5, ready = 2.0).group("C# CompilerThread#", 2, cpu = 0.4, isOfJvm = true)
            .waits(WaitCause.SLEEP, TOMCAT, 197.0, Traces.sleeping("tomcat"))
        crowded.because(users = 400, measuredCores = 0.53).holder.shouldBeInstanceOf<Holder.RequestThreads>()
        val busy = ProfileOf(perSecond = 7_000.0, meanMillis = 7.0, cores = 1).group(LOOP, 1, cpu = 0.7)
            .seen(LOOP, 1.0, Traces.computing("netty"), state = "RUNNABLE")
        busy.because(users = 50).holder.shouldBeInstanceOf<Holder.Load>()
        val measured = busy.because(users = 50, measuredCores = 0.98).holder
        measured.shouldBeInstanceOf<Holder.Processor>().busyShare shouldBe (0.98 plusOrMinus 1e-9)
    }

    @Test
    fun `compilers that fill the processor do not hide the pool that requests wait for`() {
        fun client(loop: Double) = ProfileOf(190.0, 2_000.0, cores = 1).group(LOOP, 1, cpu = loop)
            .group("C# CompilerThread#", 2, cpu = 0.99 - loop, isOfJvm = true)
            .seen(LOOP, 1.0, Traces.idleLoop, state = "RUNNABLE").runs(LOOP, 40, Traces.queueing)
        val pool = client(0.65).because(users = 400, measuredCores = 0.96).holder
        pool.shouldBeInstanceOf<Holder.ConnectionPool>().name shouldBe "Ktor"
        client(0.95).because(users = 400, measuredCores = 0.96).holder.shouldBeInstanceOf<Holder.Processor>()
    }

    @Test
    fun `a processor that others or compilers use as well holds nobody who waits for a backend`() {
        fun calls(waiting: Double) = ProfileOf(240.0, 400.0, cores = 1).group(TOMCAT, 200, cpu = 0.5, ready = 1.7)
            .waits(WaitCause.SOCKET_READ, TOMCAT, waiting, Traces.calling("tomcat"), on = "backend:8080")
            .seen(TOMCAT, waiting, Traces.calling("tomcat"), state = "RUNNABLE")
        calls(90.0).because(users = 96, measuredCores = 0.55).holder.shouldBeInstanceOf<Holder.Load>()
        calls(90.0).group("C# CompilerThread#", 2, cpu = 0.45, isOfJvm = true)
            .because(users = 96, measuredCores = 0.96).holder.shouldBeInstanceOf<Holder.Load>()
        calls(20.0).because(users = 96, measuredCores = 0.55).holder.shouldBeInstanceOf<Holder.Processor>()
    }

    @Test
    fun `of a few samples no place is named`() {
        fun hottest(samples: Long) = ProfileOf(perSecond = 20_000.0, meanMillis = 3.2).group(TOMCAT, 60, cpu = 1.9)
            .runs(TOMCAT, samples, Traces.computing("tomcat"))
            .because(users = 64).holder.shouldBeInstanceOf<Holder.Processor>().hottest
        hottest(9).shouldBeNull()
        hottest(10)!!.place.position shouldBe "Price.kt:20"
    }

    @Test
    fun `a processor that other programs use as well`() {
        val made = ProfileOf(perSecond = 9_000.0, meanMillis = 7.0).group(TOMCAT, 64, cpu = 1.2, ready = 30.0)
        val holder = made.because(users = 64).holder.shouldBeInstanceOf<Holder.Processor>()
        holder.busyShare shouldBe (0.6 plusOrMinus 1e-9)
        holder.waiting!! shouldBe (30.0 plusOrMinus 1e-9)
    }

    @Test
    fun `a library that spins is named with the place that calls it`() {
        val spinning = Traces.awaitingConnection("virtual").drop(2)
        val holder = ProfileOf(2_000.0, 900.0).group(CARRIERS, 2, cpu = 1.98)
            .runs("virtual", 800, spinning, virtual = true)
            .runs("virtual", 200, Traces.computing("virtual"), virtual = true)
            .because(users = 2_000).holder.shouldBeInstanceOf<Holder.Processor>()
        holder.hottest!!.share shouldBe 0.8
        holder.hottest!!.place.position shouldBe "Shop.kt:44"
        holder.hottest!!.place.calls!!.type shouldBe "com.zaxxer.hikari.HikariDataSource"
    }

    @Test
    fun `one event loop that a handler blocks`() {
        val holder = blockedLoop().because(users = 400).holder.shouldBeInstanceOf<Holder.EventLoop>()
        holder.threads shouldBe 1
        holder.blockedShare shouldBe (0.97 plusOrMinus 1e-9)
        val blocking = holder.blocking!!
        blocking.kind shouldBe TimeKind.SLEEP
        blocking.share shouldBe (0.97 plusOrMinus 1e-9)
        blocking.place!!.position shouldBe "Shop.kt:44"
        blocking.place!!.calls!!.method shouldBe "sleep"
    }

    @Test
    fun `blocked loops of Netty are found among its loops that only accept and read`() {
        val holder = ProfileOf(19.6, 20_000.0).group("eventLoopGroupProxy-#-#", 5, cpu = 0.02)
            .waits(WaitCause.SLEEP, "eventLoopGroupProxy-#-#", 1.96, Traces.sleeping("netty"))
            .seen("eventLoopGroupProxy-#-#", 2.0, Traces.sleeping("netty"), state = "TIMED_WAITING")
            .seen("eventLoopGroupProxy-#-#", 3.0, Traces.idleLoop, state = "RUNNABLE")
            .because(users = 400).holder.shouldBeInstanceOf<Holder.EventLoop>()
        holder.threads shouldBe 2
        holder.blockedShare shouldBe (0.98 plusOrMinus 1e-9)
    }

    @Test
    fun `an event loop at its limit while other cores are free`() {
        val holder = ProfileOf(9_000.0, 7.0, cores = 4).group(LOOP, 1, cpu = 0.97)
            .seen(LOOP, 1.0, Traces.computing("netty"), state = "RUNNABLE").runs(LOOP, 100, Traces.computing("netty"))
            .because(users = 64).holder.shouldBeInstanceOf<Holder.EventLoop>()
        holder.blocking.shouldBeNull()
        holder.hottest!!.place.position shouldBe "Price.kt:20"
    }

    @Test
    fun `request threads that all wait for a database`() {
        val holder = exhaustedThreads().because(users = 2_000).holder.shouldBeInstanceOf<Holder.RequestThreads>()
        holder.threads shouldBe 200
        holder.role shouldBe ThreadRole.REQUEST
        holder.doing!!.kind shouldBe TimeKind.DATABASE
        holder.doing!!.on shouldBe "PostgreSQL"
        holder.doing!!.share shouldBe (0.98 plusOrMinus 1e-9)
        holder.doing!!.place!!.position shouldBe "Shop.kt:44"
    }

    @Test
    fun `threads for tasks that all requests wait for`() {
        val holder = ProfileOf(100.0, 2_000.0).group(TOMCAT, 200, cpu = 0.02).group("pool-#-thread-#", 12, cpu = 0.02)
            .seen(TOMCAT, 199.0, Traces.awaitingTask("tomcat")).seen("pool-#-thread-#", 2.0, Traces.idlePool)
            .waits(WaitCause.PARK, TOMCAT, 199.0, Traces.awaitingTask("tomcat"))
            .waits(WaitCause.SLEEP, "pool-#-thread-#", 9.9, Traces.task("java.lang.Thread.sleep"))
            .because(users = 200).holder.shouldBeInstanceOf<Holder.RequestThreads>()
        holder.role shouldBe ThreadRole.BLOCKING_POOL
        holder.doing!!.place!!.position shouldBe "Part.kt:7"
    }

    @Test
    fun `a lock that all requests take, as a monitor and as a ReentrantLock`() {
        for ((cause, trace) in listOf(
            WaitCause.MONITOR to Traces.awaitingLock("tomcat"),
            WaitCause.PARK to Traces.awaitingReentrantLock("tomcat"),
        )) withClue(cause) {
            val holder = ProfileOf(100.0, 500.0).group(TOMCAT, 50, cpu = 0.03)
                .waits(cause, TOMCAT, 48.0, trace, on = "shop.Stock")
                .waits(WaitCause.SLEEP, TOMCAT, 0.98, Traces.sleeping("tomcat"))
                .because(users = 50).holder.shouldBeInstanceOf<Holder.Lock>()
            holder.of shouldBe "shop.Stock"
            holder.place!!.position shouldBe "Stock.kt:9"
            holder.waiting shouldBe (48.0 plusOrMinus 1e-9)
            holder.latencyShare shouldBe (0.96 plusOrMinus 1e-9)
        }
    }

    @Test
    fun `a pool of connections, before the threads that wait for one, on platform and on virtual threads`() {
        val platform = ProfileOf(830.0, 241.0).group(TOMCAT, 200, cpu = 0.3)
            .waits(WaitCause.PARK, TOMCAT, 188.0, Traces.awaitingConnection("tomcat"))
            .waits(WaitCause.SOCKET_READ, TOMCAT, 9.9, Traces.querying("tomcat"), on = "127.0.0.1:5432")
            .pool("HikariPool-1", PoolKind.HIKARI, max = 10, busy = 9.9, waiting = 188.0)
        val virtual = ProfileOf(830.0, 241.0).group(CARRIERS, 2, cpu = 0.3)
            .seen(CARRIERS, 2.0, Traces.idleCarrier)
            .seen("virtual", 188.0, Traces.awaitingConnection("virtual"), virtual = true)
            .waits(WaitCause.SOCKET_READ, "virtual", 9.9, Traces.querying("virtual"), virtual = true)
        for ((name, made) in listOf("HikariPool-1" to platform, "HikariCP" to virtual)) withClue(name) {
            val holder = made.because(users = 200).holder.shouldBeInstanceOf<Holder.ConnectionPool>()
            holder.name shouldBe name
            holder.max shouldBe (if (name == "HikariPool-1") 10 else null)
            holder.place!!.position shouldBe "Shop.kt:44"
            holder.waiting shouldBe (188.0 plusOrMinus 1e-9)
        }
    }

    @Test
    fun `a pool of connections of a client that does not block`() {
        fun client(users: Int) = ProfileOf(users.toDouble(), 1_000.0).group(LOOP, 4, cpu = 0.4)
            .seen(LOOP, 4.0, Traces.idleLoop, state = "RUNNABLE")
        val (returned, free) = Traces.sending(isReturned = true) to Traces.sending(isReturned = false)
        client(1_000).runs(LOOP, 20, returned).runs(LOOP, 2, free)
            .because(users = 1_000).holder.shouldBeInstanceOf<Holder.ConnectionPool>().name shouldBe "Reactor Netty"
        client(1_000).runs(LOOP, 2, returned).runs(LOOP, 20, free)
            .because(users = 1_000).holder.shouldBeInstanceOf<Holder.Load>()
        client(400).runs(LOOP, 1, Traces.queueing)
            .because(users = 400).holder.shouldBeInstanceOf<Holder.ConnectionPool>().name shouldBe "Ktor"
        client(50).runs(LOOP, 1, Traces.queueing).because(users = 50).holder.shouldBeInstanceOf<Holder.Load>()
    }

    @Test
    fun `a client that has opened all connections of its default, while more requests are in flight`() {
        fun client(open: Double, users: Int = 400) = ProfileOf(200.0, users * 5.0).group(LOOP, 4, cpu = 0.4)
            .seen(LOOP, 4.0, Traces.idleLoop, state = "RUNNABLE").outgoing("10.0.0.7:80", open)
            .runs(LOOP, 5, listOf("io.ktor.client.HttpClient.execute", "shop.Shop.order(Shop.kt:44)"))
            .because(users = users).holder
        val pool = client(100.0).shouldBeInstanceOf<Holder.ConnectionPool>()
        (pool.name to pool.max) shouldBe ("Ktor" to 100)
        pool.latencyShare!! shouldBe (0.75 plusOrMinus 1e-9)
        client(80.0).shouldBeInstanceOf<Holder.Load>()
        client(150.0).shouldBeInstanceOf<Holder.Load>()
        // With fewer requests than connections nothing waits for one, however many are open.
        client(100.0, users = 60).shouldBeInstanceOf<Holder.Load>()
    }

    @Test
    fun `a pool for which no thread waits, by what it reports`() {
        fun reactive(busy: Double, waiting: Double) = ProfileOf(400.0, 500.0).group(LOOP, 2, cpu = 0.2)
            .pool("db", PoolKind.R2DBC, max = 10, busy = busy, waiting = waiting)
        val holder = reactive(10.0, 190.0).because(users = 200).holder.shouldBeInstanceOf<Holder.ConnectionPool>()
        holder.name shouldBe "db"
        holder.max shouldBe 10
        holder.latencyShare!! shouldBe (0.95 plusOrMinus 1e-9)
        reactive(6.0, 0.0).because(users = 200).holder.shouldBeInstanceOf<Holder.Load>()
    }

    @Test
    fun `threads that requests make and never end`() {
        val starting = listOf("java.lang.Thread.start0", "java.lang.Thread.start", "shop.Shop.order(Shop.kt:44)")
        fun made(new: Int) = ProfileOf(1_000.0, 20.0).group("pool-#-thread-#", 20_000, cpu = 1.9, started = new)
            .runs(TOMCAT, 9, starting)
        val holder = made(10_000).because(users = 20, dumps = 0).holder.shouldBeInstanceOf<Holder.Threads>()
        holder.threads shouldBe 20_000
        holder.perRequest shouldBe (1.0 plusOrMinus 1e-9)
        holder.place!!.position shouldBe "Shop.kt:44"
        made(200).because(users = 20).holder.shouldBeInstanceOf<Holder.Processor>()
    }

    @Test
    fun `carriers that virtual threads pin`() {
        val holder = ProfileOf(40.0, 2_500.0).group(CARRIERS, 2, cpu = 0.02)
            .waits(WaitCause.PINNED, "virtual", 1.95, Traces.calling("virtual"), virtual = true, on = "Native frame")
            .waits(WaitCause.SOCKET_READ, "virtual", 1.95, Traces.calling("virtual"), virtual = true)
            .seen("virtual", 98.0, Traces.awaitingLock("virtual"), state = "BLOCKED", virtual = true)
            .because(users = 100).holder.shouldBeInstanceOf<Holder.CarriersPinned>()
        holder.carriers shouldBe 2
        holder.reason shouldBe "Native frame"
        holder.place!!.position shouldBe "Shop.kt:44"
    }

    @Test
    fun `a scheduler's spare thread makes the only carrier no less pinned`() {
        val holder = ProfileOf(48.0, 617.0, cores = 1).group(CARRIERS, 2, cpu = 0.1)
            .waits(WaitCause.PINNED, "virtual", 1.1, Traces.calling("virtual"), virtual = true)
            .because(users = 50, dumps = 0).holder.shouldBeInstanceOf<Holder.CarriersPinned>()
        holder.carriers shouldBe 1
        holder.pinnedShare shouldBe 1.0
    }

    @Test
    fun `a collector that stops or outweighs the program`() {
        ProfileOf(500.0, 100.0).group(TOMCAT, 50, cpu = 0.9).pauses(0.3)
            .because(users = 50).holder.shouldBeInstanceOf<Holder.Collector>()
            .pauseShare!! shouldBe (0.3 plusOrMinus 1e-9)
        ProfileOf(500.0, 100.0).group(TOMCAT, 50, cpu = 0.9).group("GC Thread##", 2, cpu = 1.0, isOfJvm = true)
            .because(users = 50).holder.shouldBeInstanceOf<Holder.Collector>()
            .cpuShare!! shouldBe (1.0 / 1.9 plusOrMinus 1e-9)
    }

    @Test
    fun `a backend, where an open load is not served and nothing of its own is busy`() {
        val call = Traces.calling("virtual")
        val made = ProfileOf(400.0, 500.0).group(CARRIERS, 2, cpu = 0.2)
            .waits(WaitCause.SOCKET_READ, "virtual", 198.0, call, virtual = true, on = "backend:8080")
            .seen("virtual", 198.0, call, virtual = true)
        val holder = made.because().holder.shouldBeInstanceOf<Holder.Backend>()
        holder.on shouldBe "backend:8080"
        holder.place!!.position shouldBe "Shop.kt:44"
    }

    @Test
    fun `without a cause it says what was seen`() {
        ProfileOf(400.0, 500.0).group(TOMCAT, 200, cpu = 0.2)
            .because(dumps = 0).holder.shouldBeInstanceOf<Holder.Unknown>().seen.first().part.kind shouldBe
            TimeKind.UNACCOUNTED
        ProfileOf(400.0, 500.0).because(users = 200, dumps = 0).holder.shouldBeInstanceOf<Holder.Unknown>()
    }

    private companion object {
        const val TOMCAT = "http-nio-#-exec-#"
        const val LOOP = "reactor-http-epoll-#"
        const val CARRIERS = "ForkJoinPool-#-worker-#"

        fun blockedLoop() = ProfileOf(perSecond = 9.7, meanMillis = 41_000.0).group(LOOP, 1, cpu = 0.01)
            .waits(WaitCause.SLEEP, LOOP, 0.97, Traces.sleeping("netty"))
            .seen(LOOP, 1.0, Traces.sleeping("netty"), state = "TIMED_WAITING")

        fun exhaustedThreads() = ProfileOf(perSecond = 1_960.0, meanMillis = 1_020.0).group(TOMCAT, 200, cpu = 0.4)
            .waits(WaitCause.SOCKET_READ, TOMCAT, 196.0, Traces.querying("tomcat"), on = "127.0.0.1:5432")
            .seen(TOMCAT, 196.0, Traces.querying("tomcat"), state = "RUNNABLE").seen(TOMCAT, 4.0, Traces.idleTomcat)
            .pool("http-nio-8080", PoolKind.TOMCAT_THREADS, max = 200, busy = 199.0)
    }
}

internal val CodePlace.position get() = "${at.file}:${at.line}"

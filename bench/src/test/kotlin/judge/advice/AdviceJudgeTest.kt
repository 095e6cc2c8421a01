package threadgauge.judge.advice

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.judge.judge
import threadgauge.model.advice.LimitedResource
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.WaitCause

/** Each service has one known limit, and the figures that it would have. */
class AdviceJudgeTest {
    @Test
    fun `ten connections, twenty milliseconds each - twice as many serve twice as much, and threads gain nothing`() {
        val advice = MadeUp().under(100, 490.0, tenConnections(100)).advice()
        advice.limits.first().let {
            it.resource shouldBe LimitedResource.CONNECTIONS
            it.count shouldBe 10.0
            it.isEstimated shouldBe true
            it.perSecond shouldBe (490.0 plusOrMinus 1.0)
        }
        val pool = advice["hikari-pool"]
        pool.setting shouldBe "spring.datasource.hikari.maximum-pool-size=20"
        pool.gain.prediction.perSecond.value.shouldBeBetween(930.0, 985.0, 0.0)
        pool.gain.prediction.meanMicros.shouldNotBeNull().value.shouldBeBetween(98_000.0, 108_000.0, 0.0)
        for (id in listOf("spring-virtual-threads", "tomcat-threads")) {
            val nothing = advice[id].nothing
            nothing.prediction.ratio.value shouldBe (1.0 plusOrMinus 1e-9)
            nothing.limit.shouldNotBeNull().resource shouldBe LimitedResource.CONNECTIONS
        }
        advice.changes.map { it.change.id } shouldNotContain "webclient-pool"
        advice.changes.map { it.change.id } shouldNotContain "blocking-off-loop-reactor"
    }

    @Test
    fun `a pool that reports itself has the size that it reports, also where nothing waits for it`() {
        val busy = tenConnections(100).pool("HikariPool-1", PoolKind.HIKARI, max = 12, busy = 12.0, waiting = 80.0)
        MadeUp().under(100, 490.0, busy).advice().let { advice ->
            advice.limits.first().count shouldBe 12.0
            advice.limits.first().isEstimated shouldBe false
            advice["hikari-pool"].to shouldBe 24.0
        }
        val idle = ProfileOf(100.0, 21.0).group(TOMCAT, 10, cpu = 0.05).seen(TOMCAT, 2.0, Traces.querying("tomcat"))
            .pool("HikariPool-1", PoolKind.HIKARI, max = 10, busy = 2.0, waiting = 0.0)
        val limit = MadeUp().under(null, 100.0, idle, rate = 100.0).advice().limits
            .single { it.resource == LimitedResource.CONNECTIONS }
        // Two of ten are busy at 100/s.
        limit.perSecond shouldBe (500.0 plusOrMinus 1e-6)
    }

    @Test
    fun `a pool that no thread waits for is the limit if it reports that requests do`() {
        val made = ProfileOf(490.0, 204.0).group("reactor-http-nio-#", 1, cpu = 0.1)
            .seen("reactor-http-nio-#", 1.0, Traces.idleLoop, state = "RUNNABLE")
            .pool("shop", PoolKind.R2DBC, max = 10, busy = 10.0, waiting = 90.0)
        val pool = MadeUp().under(100, 490.0, made).advice()["r2dbc-pool"]
        pool.setting shouldBe "spring.r2dbc.pool.max-size=20"
        pool.gain.prediction.ratio.value shouldBe (2.0 plusOrMinus 0.05)
    }

    @Test
    fun `a larger pool gains only as much as the next limit allows`() {
        // A request needs 3 ms of CPU, and there are two cores: 667/s.
        val advice = MadeUp(cpuMicros = 3_000.0).under(100, 490.0, tenConnections(100)).advice()
        val gain = advice["hikari-pool"].gain
        gain.next.shouldNotBeNull().resource shouldBe LimitedResource.PROCESSOR
        gain.prediction.perSecond.high.shouldBeBetween(600.0, 667.0, 0.0)
    }

    @Test
    fun `four threads that wait for a backend - more threads or virtual ones, up to the users`() {
        val advice = MadeUp().under(40, 79.0, fourThreads()).advice()
        advice.limits.first().resource shouldBe LimitedResource.REQUEST_THREADS
        advice["tomcat-threads"].let {
            it.setting shouldBe "server.tomcat.threads.max=8"
            it.gain.prediction.ratio.value shouldBe (2.0 plusOrMinus 0.05)
        }
        advice["spring-virtual-threads"].gain.let {
            it.prediction.ratio.value.shouldBeBetween(9.0, 10.1, 0.0)
            it.next.shouldNotBeNull().resource shouldBe LimitedResource.USERS
        }
        advice.changes.first().change.id shouldBe "spring-virtual-threads"
    }

    @Test
    fun `code that is not compiled yet - the processor limits it later than predicted, others do not`() {
        // Two cores ÷ 3 ms of CPU time = 667/s. Without that, 40 users ÷ 50 ms = 800/s.
        fun after(served: Double?, compileMillis: Double = 0.0) =
            // Of 395 answers; what compilers took is no CPU time of theirs.
            MadeUp(3_000.0 + compileMillis * 1e3 / 395, served = served, compileMillis = compileMillis)
                .under(40, 79.0, fourThreads()).advice()
        // The answers of the load itself come on top.
        val cold = after(4_600.0)
        cold["spring-virtual-threads"].gain.prediction.let {
            it.isAtLeast shouldBe true
            it.perSecond.value.shouldBeBetween(450.0, 667.0, 0.0)
            it.perSecond.high.shouldBeBetween(760.0, 860.0, 0.0)
        }
        cold["tomcat-threads"].gain.prediction.isAtLeast shouldBe false
        // Compilers are at work for an eighth, and for less than a tenth, of five seconds.
        after(50_000.0, 625.0)["spring-virtual-threads"].gain.prediction.isAtLeast shouldBe true
        for (warm in listOf(after(4_610.0), after(null), after(50_000.0, 490.0))) {
            warm["spring-virtual-threads"].gain.prediction.let {
                it.isAtLeast shouldBe false
                it.perSecond.high.shouldBeBetween(600.0, 667.0, 1e-6)
            }
        }
    }

    @Test
    fun `a blocked event loop - off the loop the sleep is no limit, and the place is named`() {
        val made = ProfileOf(48.0, 1_000.0).group("reactor-http-nio-#", 1, cpu = 0.02)
            .waits(WaitCause.SLEEP, "reactor-http-nio-#", 0.97, Traces.sleeping("netty"))
            .seen("reactor-http-nio-#", 1.0, Traces.sleeping("netty"), state = "TIMED_WAITING")
        val advice = MadeUp(cpuMicros = 400.0).under(50, 48.0, made).advice()
        advice["reactor-netty-loops"].gain.prediction.ratio.value shouldBe (2.0 plusOrMinus 0.05)
        val off = advice.changes.single { it.change.id == "blocking-off-loop-reactor" }
        off.setting.shouldBeNull()
        off.place.shouldNotBeNull().at.line shouldBe 44
        // Twenty threads of 20 ms each: 990/s.
        off.gain.prediction.perSecond.value.shouldBeBetween(600.0, 1_000.0, 0.0)
    }

    @Test
    fun `a lock that all requests take is gone at best, up to the next limit, and threads gain nothing`() {
        val made = ProfileOf(470.0, 106.0).group(TOMCAT, 50, cpu = 0.1)
            .seen(TOMCAT, 48.0, Traces.awaitingLock("tomcat"), state = "BLOCKED")
            .seen(TOMCAT, 1.0, Traces.sleeping("tomcat"))
        val advice = MadeUp().under(50, 470.0, made).advice()
        advice.limits.first().resource shouldBe LimitedResource.LOCK
        val lock = advice["narrow-lock"]
        lock.place.shouldNotBeNull().at.line shouldBe 9
        lock.gain.prediction.let {
            it.isAtMost shouldBe true
            it.perSecond.low shouldBe 470.0
            it.perSecond.high shouldBeGreaterThan 1_000.0
        }
        advice["spring-virtual-threads"].nothing.limit.shouldNotBeNull().resource shouldBe LimitedResource.LOCK
        advice.changes.map { it.change.id } shouldNotContain "asynchronous-log"
    }

    @Test
    fun `a busy processor - neither threads nor virtual threads gain anything`() {
        val made = ProfileOf(20_000.0, 3.2).group(TOMCAT, 60, cpu = 1.95, ready = 40.0)
            .seen(TOMCAT, 50.0, Traces.computing("tomcat"), state = "RUNNABLE")
            .runs(TOMCAT, 880, Traces.computing("tomcat"))
        val advice = MadeUp(cpuMicros = 97.0).under(64, 20_000.0, made).advice()
        advice.limits.first().resource shouldBe LimitedResource.PROCESSOR
        for (id in listOf("spring-virtual-threads", "tomcat-threads")) {
            advice[id].nothing.limit.shouldNotBeNull().resource shouldBe LimitedResource.PROCESSOR
        }
    }

    @Test
    fun `where other programs use the core as well, a pool that requests are queued for is still the limit`() {
        val made = tenConnections(100).group("worker-#", 1, cpu = 1.2, ready = 2.5)
        val advice = MadeUp(cpuMicros = 1_500.0).under(100, 490.0, made).advice()
        advice.limits.first().resource shouldBe LimitedResource.CONNECTIONS
        advice["hikari-pool"].gain.prediction.perSecond.value.shouldBeBetween(850.0, 985.0, 0.0)
    }

    @Test
    fun `a heap that is too small - the collector's share is the most that can be gained, with the size to set`() {
        val made = ProfileOf(2_000.0, 10.0).group(TOMCAT, 20, cpu = 0.8)
            .group("VM Thread", 1, cpu = 0.8, isOfJvm = true)
            .seen(TOMCAT, 5.0, Traces.computing("tomcat"), state = "RUNNABLE").pauses(0.4)
        val facts = mapOf("heap at most" to "80 MB")
        fun after(compileMillis: Double) =
            // Of 10,000 answers; what compilers took is no CPU time of theirs.
            MadeUp(800.0 + compileMillis / 10, facts, served = 50_000.0, compileMillis = compileMillis)
                .under(20, 2_000.0, made).advice()
        val advice = after(compileMillis = 0.0)
        val heap = advice["larger-heap"]
        heap.setting shouldBe "-Xmx160m"
        heap.gain.prediction.isAtMost shouldBe true
        // Half of the CPU time is the collector's.
        heap.gain.prediction.ratio.high.shouldBeBetween(1.3, 2.0, 1e-9)
        // While compilers are at work, nobody knows how much CPU time is needed in the end.
        val compiling = after(compileMillis = 2_000.0)["larger-heap"].gain
        compiling.prediction.ratio.high shouldBeGreaterThan heap.gain.prediction.ratio.high
        compiling.next?.resource shouldNotBe LimitedResource.PROCESSOR
        advice["parallel-collector"].outcome shouldBe ChangeOutcome.Unknown
        // Which of them needs a few megabytes less decides.
        advice["spring-virtual-threads"].outcome shouldBe ChangeOutcome.Unknown
        advice["tomcat-threads"].outcome shouldBe ChangeOutcome.Unknown
        advice.changes.last().change.id shouldBe "parallel-collector"
    }

    @Test
    fun `of several loads the smallest counts that shows a limit, and the largest where none does`() {
        val held = MadeUp().under(5, 245.0, tenConnections(5)).under(50, 488.0, tenConnections(50))
            .under(200, 490.0, tenConnections(200)).advice()
        held.situation shouldBe "50-users"
        val idle = { users: Int -> ProfileOf(users * 10.0, 100.0).group(TOMCAT, 200, cpu = 0.05)
            .waits(WaitCause.SOCKET_READ, TOMCAT, users.toDouble(), Traces.calling("tomcat"), on = "127.0.0.1:9001") }
        val free = MadeUp().under(5, 50.0, idle(5)).under(50, 500.0, idle(50)).advice()
        free.situation shouldBe "50-users"
        free["spring-virtual-threads"].nothing.limit.shouldNotBeNull().resource shouldBe LimitedResource.USERS
    }

    @Test
    fun `without a profile there is no advice, and a run that does not ask has none`() {
        val record = MadeUp().under(100, 490.0, tenConnections(100)).record()
        judge(record.copy(trials = record.trials.map { it.copy(profiles = emptyList()) })).advice.shouldBeEmpty()
        judge(record.copy(plan = record.plan.copy(advice = null))).advice.shouldBeEmpty()
    }

    @Test
    fun `an older Java has no virtual threads`() {
        val record = MadeUp().under(100, 490.0, tenConnections(100)).record()
        val old = record.trials.map { one -> one.copy(profiles = one.profiles.map { it.copy(java = 17) }) }
        val ids = judge(record.copy(trials = old)).advice.single().changes.map { it.change.id }
        ids shouldContainExactlyInAnyOrder listOf("hikari-pool", "tomcat-threads")
    }

    /** Each waits 50 ms for a backend. */
    private fun fourThreads() = ProfileOf(79.0, 506.0).group(TOMCAT, 4, cpu = 0.02)
        .waits(WaitCause.SOCKET_READ, TOMCAT, 3.96, Traces.calling("tomcat"), on = "127.0.0.1:9001")

    /** At most 490 queries of 20.4 ms on ten connections; the other users' threads wait for one. */
    private fun tenConnections(users: Int): ProfileOf {
        val perSecond = minOf(490.0, users / 0.0204)
        val atWork = minOf(10.0, users.toDouble())
        val made = ProfileOf(perSecond, users / perSecond * 1e3).group(TOMCAT, users, cpu = 0.1)
            .waits(WaitCause.SOCKET_READ, TOMCAT, atWork, Traces.querying("tomcat"), on = "127.0.0.1:5432")
        if (users <= 10) return made
        return made.waits(WaitCause.PARK, TOMCAT, users - 10.0, Traces.awaitingConnection("tomcat"))
    }

    private companion object {
        const val TOMCAT = "http-nio-#-exec-#"
    }
}

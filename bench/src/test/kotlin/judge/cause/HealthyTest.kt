package threadgauge.judge.cause

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.WaitCause

/** Processes that nothing holds but their load, although some look ill. */
class HealthyTest {
    private val healthy = mapOf(
        "a fast service under little load" to
            ProfileOf(2_000.0, 0.5).group("http-nio-#-exec-#", 10, cpu = 0.3)
                .seen("http-nio-#-exec-#", 10.0, Traces.idleTomcat),
        "a thread for each user, all of them sleeping" to
            ProfileOf(490.0, 102.0).group("http-nio-#-exec-#", 50, cpu = 0.1)
                .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 49.0, Traces.sleeping("tomcat")),
        "a pool that has not grown to its limit" to
            ProfileOf(490.0, 125.0).group("http-nio-#-exec-#", 50, cpu = 0.1)
                .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 49.0, Traces.sleeping("tomcat"))
                .pool("http-nio-8080", PoolKind.TOMCAT_THREADS, max = 200, busy = 49.0),
        "an event loop with timers" to
            ProfileOf(490.0, 102.0).group("reactor-http-epoll-#", 2, cpu = 0.2)
                .seen("reactor-http-epoll-#", 2.0, Traces.idleLoop, state = "RUNNABLE"),
        "a slow backend and idle pools" to
            ProfileOf(49.0, 1_010.0).group("ForkJoinPool-#-worker-#", 2, cpu = 0.05)
                .seen("ForkJoinPool-#-worker-#", 2.0, Traces.idleCarrier)
                .seen("virtual", 49.0, Traces.calling("virtual"), virtual = true)
                .waits(WaitCause.SOCKET_READ, "virtual", 49.0, Traces.calling("virtual"), virtual = true)
                .pool("HikariPool-1", PoolKind.HIKARI, max = 10, busy = 1.0, waiting = 0.0),
        "a lock that is taken shortly" to
            ProfileOf(5_000.0, 9.8, cores = 4).group("http-nio-#-exec-#", 100, cpu = 2.5)
                .waits(WaitCause.MONITOR, "http-nio-#-exec-#", 1.5, Traces.awaitingLock("tomcat"))
                .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 45.0, Traces.sleeping("tomcat")),
        "threads in the background" to
            ProfileOf(490.0, 102.0).group("http-nio-#-exec-#", 50, cpu = 0.1).group("refresher", 4, cpu = 0.01)
                .waits(WaitCause.SLEEP, "refresher", 4.0, Traces.refreshing)
                .waits(WaitCause.SLEEP, "http-nio-#-exec-#", 49.0, Traces.sleeping("tomcat")),
        "few collections" to ProfileOf(490.0, 102.0).group("reactor-http-epoll-#", 2, cpu = 1.2)
            .seen("reactor-http-epoll-#", 2.0, Traces.idleLoop, state = "RUNNABLE").pauses(0.04),
    )

    @Test
    fun `no illness is named under a closed load`() = healthy.forEach { (name, made) ->
        withClue(name) { made.because(users = 50).holder.shouldBeInstanceOf<Holder.Load>().users shouldBe 50 }
    }

    @Test
    fun `no illness is named where an open load is served`() = healthy.forEach { (name, made) ->
        withClue(name) { made.because(isServed = true).holder.shouldBeInstanceOf<Holder.Load>().users shouldBe null }
    }

    @Test
    fun `users wait for what takes most of the latency`() {
        fun waitedFor(name: String) =
            (healthy.getValue(name).because(users = 50).holder as Holder.Load).waitsFor.first().part
        waitedFor("an event loop with timers").kind shouldBe TimeKind.ASYNCHRONOUS
        waitedFor("a slow backend and idle pools").kind shouldBe TimeKind.BACKEND
        val sleep = waitedFor("a thread for each user, all of them sleeping")
        sleep.kind shouldBe TimeKind.SLEEP
        sleep.place!!.position shouldBe "Shop.kt:44"
        waitedFor("a fast service under little load").kind shouldBe TimeKind.UNACCOUNTED
    }
}

package threadgauge.judge.cause

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.cause.ThreadRole

class ThreadRolesTest {
    @Test
    fun `names that frameworks give`() {
        val roles = mapOf(
            "http-nio-#-exec-#" to ThreadRole.REQUEST, "https-jsse-nio-#-exec-#" to ThreadRole.REQUEST,
            "qtp#-#" to ThreadRole.REQUEST,
            "XNIO-# task-#" to ThreadRole.REQUEST, "executor-thread-#" to ThreadRole.REQUEST,
            "http-nio-#-Poller" to ThreadRole.OTHER, "http-nio-#-Acceptor" to ThreadRole.OTHER,
            "main" to ThreadRole.OTHER, "reactor-http-epoll-#" to ThreadRole.EVENT_LOOP,
            "vert.x-eventloop-thread-#" to ThreadRole.EVENT_LOOP, "eventLoopGroupProxy-#-#" to ThreadRole.EVENT_LOOP,
            "multiThreadIoEventLoopGroup-#-#" to ThreadRole.EVENT_LOOP, "XNIO-# I/O-#" to ThreadRole.EVENT_LOOP,
            "ForkJoinPool-#-worker-#" to ThreadRole.BLOCKING_POOL,
            "DefaultDispatcher-worker-#" to ThreadRole.BLOCKING_POOL,
            "boundedElastic-#" to ThreadRole.BLOCKING_POOL, "pool-#-thread-#" to ThreadRole.BLOCKING_POOL,
            "C# CompilerThread#" to ThreadRole.JVM, "GC Thread##" to ThreadRole.JVM,
            "RMI TCP Connection(#)-#" to ThreadRole.JVM, "JFR Recorder Thread" to ThreadRole.JVM,
            "my-thread" to ThreadRole.OTHER,
        )
        for ((name, role) in roles) withClue(name) { roleOf(ProfileOf(1.0, 1.0).group(name, 1), name) shouldBe role }
    }

    @Test
    fun `fork-join workers carry virtual threads where there are any`() {
        val made = ProfileOf(1.0, 1.0).group("ForkJoinPool-#-worker-#", 2).group("workers-#", 2)
            .seen("workers-#", 2.0, Traces.idleCarrier)
        roleOf(made, "workers-#") shouldBe ThreadRole.BLOCKING_POOL
        made.seen("virtual", 1.0, Traces.sleeping("virtual"), virtual = true)
        roleOf(made, "ForkJoinPool-#-worker-#") shouldBe ThreadRole.CARRIER
        roleOf(made, "workers-#") shouldBe ThreadRole.CARRIER
        rolesOf(made.profile())[GroupKey("virtual", isVirtual = true)] shouldBe ThreadRole.VIRTUAL
    }

    @Test
    fun `threads with names of their own are known by what they do, idle or busy`() {
        fun role(trace: List<String>) =
            roleOf(ProfileOf(1.0, 1.0).group("mine-#", 4).seen("mine-#", 4.0, trace), "mine-#")
        role(Traces.idleLoop) shouldBe ThreadRole.EVENT_LOOP
        role(Traces.sleeping("netty")) shouldBe ThreadRole.EVENT_LOOP
        role(Traces.sleeping("tomcat")) shouldBe ThreadRole.REQUEST
        role(Traces.idlePool) shouldBe ThreadRole.BLOCKING_POOL
        role(Traces.task("java.lang.Thread.sleep")) shouldBe ThreadRole.BLOCKING_POOL
        role(Traces.refreshing) shouldBe ThreadRole.OTHER
    }

    private fun roleOf(made: ProfileOf, name: String) = rolesOf(made.profile())[GroupKey(name, isVirtual = false)]
}

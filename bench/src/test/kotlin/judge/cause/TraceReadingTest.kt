package threadgauge.judge.cause

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.cause.ThreadRole
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Trace
import threadgauge.model.profile.WaitCause

/** Traces as JDK 25 gives them in dumps, and events, which leave out the frames of the JDK that made them. */
class TraceReadingTest {
    private val handler = "shop.Shop.order(Shop.kt:44)"

    @Test
    fun `threads of dumps`() {
        val kinds = mapOf(
            listOf("java.lang.Thread.sleepNanos0", "java.lang.Thread.sleepNanos", "java.lang.Thread.sleep", handler) to
                TimeKind.SLEEP,
            listOf("java.net.Inet6AddressImpl.lookupAllHostAddr", "java.net.InetAddress.getAllByName", handler) to
                TimeKind.NAME_LOOKUP,
            listOf("sun.nio.ch.SocketDispatcher.read0", "sun.nio.ch.NioSocketImpl.tryRead", "feign.A.b", handler) to
                TimeKind.BACKEND,
            listOf("sun.nio.ch.SocketDispatcher.write0", "io.netty.channel.nio.NioSocketChannel.doWrite", handler) to
                TimeKind.CPU,
            listOf("java.io.FileOutputStream.writeBytes", "ch.qos.logback.core.FileAppender.append", handler) to
                TimeKind.FILE,
            listOf("java.util.HashMap.get", handler) to TimeKind.CPU,
        )
        for ((frames, kind) in kinds) withClue(frames) { read(frames, state = "RUNNABLE") shouldBe kind }
    }

    @Test
    fun `virtual threads that wait, and those that could run if a carrier were free`() {
        val parked = listOf("java.lang.VirtualThread.park", "java.util.concurrent.locks.LockSupport.park")
        fun virtual(frames: List<String>, state: String?) = read(frames, ThreadRole.VIRTUAL, state)
        virtual(parked + "java.util.concurrent.FutureTask.get" + handler, "WAITING") shouldBe TimeKind.OTHER_THREAD
        virtual(parked + "java.util.concurrent.FutureTask.get" + handler, null) shouldBe TimeKind.OTHER_THREAD
        virtual(parked + "java.util.concurrent.FutureTask.get" + handler, "RUNNABLE") shouldBe TimeKind.THREAD
        virtual(listOf(handler), null) shouldBe TimeKind.CPU
        virtual(parked + "sun.nio.ch.Poller.poll" + "sun.nio.ch.Poller.subPollerLoop", "WAITING") shouldBe null
        val reading = parked + "sun.nio.ch.Poller.poll" + "sun.nio.ch.NioSocketImpl.park"
        virtual(reading + "org.postgresql.core.PGStream.read" + handler, "WAITING") shouldBe TimeKind.DATABASE
    }

    @Test
    fun `events without the frames of the JDK`() {
        read(listOf(handler), cause = WaitCause.SLEEP) shouldBe TimeKind.SLEEP
        read(listOf(handler), cause = WaitCause.MONITOR) shouldBe TimeKind.LOCK
        read(listOf(handler), cause = WaitCause.SOCKET_READ) shouldBe TimeKind.BACKEND
        val query = listOf("org.postgresql.core.PGStream.read", handler)
        read(query, cause = WaitCause.SOCKET_READ) shouldBe TimeKind.DATABASE
        // An answer to a client that reads slowly.
        read(listOf(handler), cause = WaitCause.SOCKET_WRITE) shouldBe null
        readTrace(null, ThreadRole.REQUEST, cause = WaitCause.SLEEP).kind shouldBe TimeKind.SLEEP
        readTrace(null, ThreadRole.REQUEST, cause = WaitCause.PARK).kind shouldBe null
    }

    @Test
    fun `what finds the address of a name may be code of the user's, and who asks for it is the place`() {
        val frames = listOf(
            "java.lang.Thread.sleep", "shop.Names.find(Names.kt:9)", "java.net.InetAddress.getAllByName0",
            "java.net.InetAddress.getByName", handler,
        )
        val reading = readTrace(Trace(frames.map(::frameOf)), ThreadRole.REQUEST, cause = WaitCause.SLEEP)
        reading.kind shouldBe TimeKind.NAME_LOOKUP
        reading.place!!.position shouldBe "Shop.kt:44"
    }

    @Test
    fun `a lock of Java's own is named after the library that takes it`() {
        val park = listOf("jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.ReentrantLock.lock")
        fun owner(frames: List<String>, on: String?) =
            readTrace(Trace(frames.map(::frameOf)), ThreadRole.REQUEST, cause = WaitCause.PARK, on = on).on
        val java = "java.util.concurrent.locks.ReentrantLock\$NonfairSync"
        owner(park + "ch.qos.logback.core.OutputStreamAppender.append" + handler, java) shouldBe
            "ch.qos.logback.core.OutputStreamAppender"
        owner(park + handler, java) shouldBe java
        owner(park + handler, "shop.Stock") shouldBe "shop.Stock"
    }

    @Test
    fun `the method that sleeps is taken from a dump, because events do not name it`() {
        val group = "reactor-http-epoll-#"
        val profile = ProfileOf(9.0, 40_000.0).group(group, 1)
            .waits(WaitCause.SLEEP, group, 0.99, listOf(handler))
            .seen(group, 0.9, listOf("java.lang.Thread.sleep", handler), state = "TIMED_WAITING").profile()
        val wait = waitTimesOf(profile, rolesOf(profile)).single()
        wait.threads shouldBe 0.99
        wait.place!!.calls!!.method shouldBe "sleep"
    }

    @Test
    fun `a queue of a worker's own is waiting for work, and one of a handler is not`() {
        val taking = listOf("jdk.internal.misc.Unsafe.park", "java.util.concurrent.LinkedBlockingQueue.take", handler)
        read(taking, ThreadRole.BLOCKING_POOL) shouldBe null
        read(taking, ThreadRole.REQUEST) shouldBe TimeKind.OTHER_THREAD
        read(taking, ThreadRole.OTHER) shouldBe null
    }

    private fun read(
        frames: List<String>,
        role: ThreadRole = ThreadRole.REQUEST,
        state: String? = "WAITING",
        cause: WaitCause? = null,
    ) = readTrace(Trace(frames.map(::frameOf)), role, state.takeIf { cause == null }, cause).kind
}

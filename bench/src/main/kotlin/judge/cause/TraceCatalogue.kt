package threadgauge.judge.cause

import threadgauge.model.profile.Frame

/** Methods of all classes whose names begin with [type]; all their methods where none is named. */
internal class Calls(private val type: String, private vararg val methods: String) {
    fun matches(frame: Frame) = frame.type.startsWith(type) && (methods.isEmpty() || frame.method in methods)
}

internal infix fun Frame.isOneOf(calls: List<Calls>): Boolean = calls.any { it.matches(this) }

/** What frames of well-known classes mean. */
internal object TraceCatalogue {
    /** A thread with one of these above all code of the user waits for work, and for nothing within a request. */
    val idle = listOf(
        // Selectors: an event loop, a poller or an acceptor that waits for the network.
        Calls("sun.nio.ch.SelectorImpl"), Calls("sun.nio.ch.EPoll", "wait", "poll"), Calls("sun.nio.ch.KQueue", "poll"),
        Calls("sun.nio.ch.WEPoll", "wait"), Calls("sun.nio.ch.Poller", "pollerLoop", "subPollerLoop", "updateLoop"),
        Calls("io.netty.channel.epoll.Native"), Calls("io.netty.channel.kqueue.Native"),
        Calls("io.netty.channel.uring.Native"), Calls("io.netty.channel.epoll.EpollEventLoop", "epollWait"),
        Calls("io.netty.channel.nio.NioEventLoop", "select"), Calls("io.netty.channel.nio.NioIoHandler", "select"),
        Calls("sun.nio.ch.NioSocketImpl", "accept"), Calls("sun.nio.ch.ServerSocketChannelImpl"),
        Calls("java.net.ServerSocket"), Calls("java.net.PlainSocketImpl", "socketAccept"),
        // Pools: a worker that waits for its next task.
        Calls("java.util.concurrent.ThreadPoolExecutor", "getTask"),
        Calls("org.apache.tomcat.util.threads.ThreadPoolExecutor", "getTask"),
        Calls("java.util.concurrent.ScheduledThreadPoolExecutor\$DelayedWorkQueue"),
        Calls("java.util.concurrent.ForkJoinPool", "awaitWork"),
        Calls("org.eclipse.jetty.util.thread.QueuedThreadPool", "idleJobPoll"),
        Calls("org.eclipse.jetty.util.thread.QueuedThreadPool\$Runner", "idleJobPoll"),
        Calls("org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy", "tryProduce"),
        Calls("org.jboss.threads.EnhancedQueueExecutor\$PoolThreadNode"),
        Calls("kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker", "park", "tryPark"),
        Calls("kotlinx.coroutines.DefaultExecutor"),
        Calls("io.netty.util.concurrent.SingleThreadEventExecutor", "takeTask"),
        Calls("io.netty.util.concurrent.GlobalEventExecutor", "takeTask"), Calls("io.netty.util.HashedWheelTimer"),
        // A thread per connection that waits for the next request of its client.
        Calls("io.helidon.webserver.http1.Http1Prologue"),
        Calls("io.helidon.webserver.http1.Http1Connection", "readPrologue"),
        // The JVM's own threads, and what observes it.
        Calls("java.lang.ref."), Calls("jdk.internal.ref."), Calls("java.util.TimerThread"), Calls("sun.rmi."),
        Calls("com.sun.jmx."), Calls("jdk.jfr.internal.PlatformRecorder"), Calls("sun.tools.attach."),
        Calls("org.apache.catalina.core.StandardServer", "await"), Calls("io.vertx.core.impl.BlockedThreadChecker"),
    )

    /** The loop of a thread that dispatches events; it stays on the stack while one is handled. */
    val eventLoops = listOf(
        Calls("io.netty.channel.nio.NioEventLoop", "run"), Calls("io.netty.channel.SingleThreadIoEventLoop", "run"),
        Calls("io.netty.channel.epoll.EpollEventLoop", "run"), Calls("io.netty.channel.kqueue.KQueueEventLoop", "run"),
        Calls("org.xnio.nio.WorkerThread", "run"), Calls("io.ktor.network.selector."),
    )

    /** The loop of a thread that works off tasks. */
    val workers = listOf(
        Calls("java.util.concurrent.ThreadPoolExecutor", "runWorker", "getTask"),
        Calls("org.apache.tomcat.util.threads.ThreadPoolExecutor", "runWorker", "getTask"),
        Calls("kotlinx.coroutines.scheduling.CoroutineScheduler\$Worker"),
        Calls("org.jboss.threads.EnhancedQueueExecutor"), Calls("org.eclipse.jetty.util.thread.QueuedThreadPool"),
    )

    /** The loop of a fork-join worker, which is how virtual threads are carried, too. */
    val forkJoin = listOf(Calls("java.util.concurrent.ForkJoinPool", "runWorker", "awaitWork"))

    /** A server that serves a request on the thread. */
    val servers = listOf(
        Calls("org.apache.catalina."), Calls("org.apache.coyote."), Calls("jakarta.servlet."), Calls("javax.servlet."),
        Calls("org.eclipse.jetty.server."), Calls("io.undertow.server."),
        Calls("sun.net.httpserver.ServerImpl\$Exchange"),
        Calls("io.helidon.webserver."), Calls("org.glassfish.grizzly.http."),
    )

    val sleeps = listOf(
        Calls("java.lang.Thread", "sleep", "sleep0", "sleepNanos", "sleepNanos0", "beforeSleep", "afterSleep"),
        Calls("java.lang.VirtualThread", "sleepNanos"), Calls("java.util.concurrent.TimeUnit", "sleep"),
    )

    /** Reading from a socket, or connecting it. Writing seldom waits, and is how every answer is sent. */
    val sockets = listOf(
        Calls("sun.nio.ch.NioSocketImpl", "read", "implRead", "tryRead", "timedRead", "connect", "park"),
        Calls("java.net.Socket\$SocketInputStream"), Calls("java.net.SocketInputStream"),
        Calls("sun.nio.ch.SocketDispatcher", "read", "read0"),
        Calls("sun.nio.ch.SocketChannelImpl", "read", "blockingRead", "connect", "blockingConnect"),
        Calls("sun.nio.ch.Net", "poll", "pollConnect", "connect0"), Calls("java.net.PlainSocketImpl"),
    )

    val files = listOf(
        Calls("java.io.FileInputStream"), Calls("java.io.FileOutputStream"), Calls("java.io.RandomAccessFile"),
        Calls("sun.nio.ch.FileDispatcherImpl"), Calls("sun.nio.ch.UnixFileDispatcherImpl"),
    )

    val nameLookups = listOf(
        Calls("java.net.Inet6AddressImpl"), Calls("java.net.Inet4AddressImpl"),
        Calls("java.net.InetAddress", "getByName", "getAllByName", "getAllByName0", "getAddressesFromNameService"),
    )

    /** Locks that are no monitors. A wait for a condition ends with one, too, and is none for the lock. */
    val locks = listOf(
        Calls("java.util.concurrent.locks.ReentrantLock", "lock", "tryLock", "lockInterruptibly"),
        Calls("java.util.concurrent.locks.ReentrantReadWriteLock\$", "lock", "tryLock", "lockInterruptibly"),
        Calls("java.util.concurrent.locks.StampedLock", "readLock", "writeLock", "tryReadLock", "tryWriteLock"),
    )

    /** How a thread that waits begins, from the top. */
    val parks = listOf(
        Calls("jdk.internal.misc.Unsafe", "park"), Calls("sun.misc.Unsafe", "park"),
        Calls("java.util.concurrent.locks.LockSupport"), Calls("java.lang.Object", "wait", "wait0"),
        Calls("java.lang.VirtualThread", "park", "parkNanos", "yieldContinuation", "tryYield"),
        Calls("jdk.internal.vm.Continuation", "yield", "yield0", "doYield"), Calls("java.lang.Thread", "join"),
    )

    /** Starting a thread. */
    val starts = listOf(Calls("java.lang.Thread", "start", "start0"))

    /** A queue of tasks or messages. */
    val queues = listOf(Calls("java.util.concurrent.", "take", "poll", "pollFirst", "takeFirst"))
}

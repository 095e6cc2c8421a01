package threadgauge.judge.cause

import threadgauge.judge.recordOf
import threadgauge.model.Cost
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.cause.Because
import threadgauge.model.profile.Frame
import threadgauge.model.profile.Pool
import threadgauge.model.profile.PoolKind
import threadgauge.model.profile.Profile
import threadgauge.model.profile.Running
import threadgauge.model.profile.SeenThreads
import threadgauge.model.profile.ThreadGroup
import threadgauge.model.profile.Trace
import threadgauge.model.profile.WaitCause
import threadgauge.model.profile.Waits
import threadgauge.model.request.Request

/**
 * A made-up profile of ten seconds and ten dumps. Numbers of threads are means over the window, so that a wait of so
 * many threads is so many times the window long.
 */
internal class ProfileOf(private val perSecond: Double, private val meanMillis: Double, private val cores: Int = 2) {
    private val traces = mutableListOf<Trace>()
    private val threads = mutableListOf<ThreadGroup>()
    private val waits = mutableListOf<Waits>()
    private val running = mutableListOf<Running>()
    private val seen = mutableListOf<SeenThreads>()
    private val pools = mutableListOf<Pool>()
    private var pauses: Double? = 0.0

    /** A group that keeps [cpu] cores busy, while [ready] of its threads wait for a core; [started] of it are new. */
    fun group(
        name: String,
        count: Int,
        cpu: Double = 0.0,
        ready: Double = 0.0,
        isOfJvm: Boolean = false,
        started: Int = 0,
    ) = apply { threads += ThreadGroup(name, count, cpu * WINDOW, ready * WINDOW, isOfJvm, started) }

    /** [mean] threads in dumps. */
    fun seen(name: String, mean: Double, trace: List<String>, state: String? = "WAITING", virtual: Boolean = false) =
        apply { seen += SeenThreads(name, virtual, state, indexOf(trace), mean) }

    /** [mean] threads in recorded waits. */
    fun waits(
        cause: WaitCause,
        name: String,
        mean: Double,
        trace: List<String>?,
        virtual: Boolean = false,
        on: String? = null,
        count: Long = 100,
    ) = apply {
        waits += Waits(cause, name, virtual, trace?.let(::indexOf), count, mean * WINDOW, on)
    }

    fun runs(name: String, samples: Long, trace: List<String>, virtual: Boolean = false) = apply {
        running += Running(name, virtual, indexOf(trace), samples)
    }

    fun pool(name: String, kind: PoolKind, max: Int, busy: Double, waiting: Double? = null) = apply {
        pools += Pool(name, kind, max, busy, waiting)
    }

    /** [open] connections that it has opened to [end]. */
    fun outgoing(end: String, open: Double) = apply { pools += Pool(end, PoolKind.OUTGOING, busy = open) }

    fun pauses(share: Double) = apply { pauses = share * WINDOW }

    fun profile(dumps: Int = 10) = Profile(
        situation = "s", atMillis = 0.0, windowMillis = WINDOW, tookMillis = WINDOW + 900,
        answered = (perSecond * WINDOW / 1e3).toLong(), meanMicros = meanMillis * 1e3,
        cpuMillis = threads.sumOf { it.cpuMillis }, cores = cores, java = 25, traces = traces.toList(),
        threads = threads.sortedByDescending { it.cpuMillis }, waits = waits.toList(), running = running.toList(),
        seen = if (dumps == 0) emptyList() else seen.toList(), dumps = dumps, collectionPauseMillis = pauses,
        pools = pools.toList(),
    )

    private fun indexOf(frames: List<String>): Int {
        val trace = Trace(frames.map(::frameOf))
        if (trace !in traces) traces += trace
        return traces.indexOf(trace)
    }

    companion object {
        const val WINDOW = 10_000.0
    }
}

/** `shop.Shop.order(Shop.kt:44)`, or `java.lang.Thread.sleep` where no line is known. */
internal fun frameOf(text: String): Frame {
    val name = text.substringBefore('(')
    val (file, line) = text.substringAfter('(', "").removeSuffix(")").split(':').let { it[0] to it.getOrNull(1) }
    return Frame(name.substringBeforeLast('.'), name.substringAfterLast('.'), line?.toInt(), file.ifEmpty { null })
}

/**
 * Of a closed load of so many [users], or of an open load that [isServed] or is not. [measuredCores] were busy where it
 * was measured, without a profile; null where nothing was.
 */
internal fun ProfileOf.because(
    users: Int? = null,
    isServed: Boolean = false,
    dumps: Int = 10,
    measuredCores: Double? = null,
): Because {
    val load = users?.let { Load.Users(it, TEN_SECONDS) } ?: Load.Rate(1_000.0, TEN_SECONDS)
    val samples = measuredCores?.let { busy ->
        recordOf(mapOf("a" to listOf(1_000.0))).trials.single().samples
            .map { it.copy(situation = "s", cost = Cost(1_000.0, busy * 800, busy * 200)) }
    }
    val trial = Trial(
        "a", 1, TrialState.MEASURED, command = listOf("x"), log = "a.log", samples = samples.orEmpty(),
        profiles = listOf(profile(dumps)),
    )
    return becauseOf(listOf(trial), Situation("s", "are examples", Request(path = "/x"), load), isServed)!!
}

private const val TEN_SECONDS = 10_000_000_000L

/** Traces as they are found in real processes, shortened. */
internal object Traces {
    private val park = listOf("jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park")
    private val tomcat = listOf(
        "org.springframework.web.servlet.DispatcherServlet.doDispatch", "jakarta.servlet.http.HttpServlet.service",
        "org.apache.catalina.core.StandardWrapperValve.invoke",
        "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker", "java.lang.Thread.run",
    )
    private val netty = listOf(
        "reactor.netty.http.server.HttpServerOperations.onInboundNext", "io.netty.channel.nio.NioEventLoop.run",
        "java.lang.Thread.run",
    )
    private val virtual = listOf("java.lang.VirtualThread.run")
    private val handler = listOf("shop.Shop.order(Shop.kt:44)")
    private val socket =
        listOf("sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.park", "sun.nio.ch.NioSocketImpl.implRead")
    private val virtualPark = listOf("java.lang.VirtualThread.park", "java.util.concurrent.locks.LockSupport.park")

    val idleTomcat = park + "java.util.concurrent.LinkedBlockingQueue.take" +
        "org.apache.tomcat.util.threads.TaskQueue.take" + "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask" +
        "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker" + "java.lang.Thread.run"
    val idleLoop =
        listOf("sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "io.netty.channel.nio.NioEventLoop.run")
    val idleCarrier =
        park + "java.util.concurrent.ForkJoinPool.awaitWork" + "java.util.concurrent.ForkJoinPool.runWorker"
    val idlePool = park + "java.util.concurrent.LinkedBlockingQueue.take" +
        "java.util.concurrent.ThreadPoolExecutor.getTask" + "java.util.concurrent.ThreadPoolExecutor.runWorker"
    val refreshing = listOf("java.lang.Thread.sleep", "shop.Cache.run(Cache.kt:3)", "java.lang.Thread.run")
    val ownConnection = socket + "io.helidon.common.socket.PlainSocket.get" +
        "io.helidon.webserver.http1.Http1Connection.handle"

    fun sleeping(on: String) = listOf("java.lang.Thread.sleep0", "java.lang.Thread.sleep") + handler + below(on)

    fun querying(on: String) =
        socket + "org.postgresql.core.PGStream.receiveChar" + "org.postgresql.jdbc.PgPreparedStatement.executeQuery" +
            handler + below(on)

    fun calling(on: String) = (if (on == "virtual") virtualPark + "sun.nio.ch.Poller.poll" else emptyList()) + socket +
        "sun.net.www.http.HttpClient.parseHTTP" + handler + below(on)

    fun awaitingConnection(on: String) = (if (on == "virtual") virtualPark else park) +
        "java.util.concurrent.SynchronousQueue.poll" + "com.zaxxer.hikari.util.ConcurrentBag.borrow" +
        "com.zaxxer.hikari.pool.HikariPool.getConnection" + "com.zaxxer.hikari.HikariDataSource.getConnection" +
        handler + below(on)

    fun awaitingLock(on: String) = listOf("shop.Stock.take(Stock.kt:9)") + handler + below(on)

    fun awaitingReentrantLock(on: String) = park + "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire" +
        "java.util.concurrent.locks.ReentrantLock\$Sync.lock" + "java.util.concurrent.locks.ReentrantLock.lock" +
        "shop.Stock.take(Stock.kt:9)" + handler + below(on)

    fun awaitingTask(on: String) = park + "java.util.concurrent.FutureTask.get" + handler + below(on)

    fun task(vararg top: String) =
        top.toList() + "shop.Part.load(Part.kt:7)" + "java.util.concurrent.FutureTask.run" +
            "java.util.concurrent.ThreadPoolExecutor.runWorker" + "java.lang.Thread.run"

    /** Reactor Netty's client sends a request: on a connection that another one returned, or on one that was free. */
    fun sending(isReturned: Boolean): List<String> {
        val pool = "reactor.netty.internal.shaded.reactor.pool"
        return listOf("io.netty.channel.AbstractChannel.write", "reactor.netty.http.client.HttpClient.send") +
            "$pool.AbstractPool\$Borrower.deliver" + "$pool.SimpleDequePool.drainLoop" +
            "$pool.SimpleDequePool.${if (isReturned) "maybeRecycleAndDrain" else "doAcquire"}" + netty
    }

    val queueing = listOf(
        "kotlinx.coroutines.sync.SemaphoreAndMutexImpl.acquireSlowPath",
        "io.ktor.client.engine.cio.ConnectionFactory.connect",
    ) + netty

    fun computing(on: String) = listOf("java.util.HashMap.get", "shop.Price.of(Price.kt:20)") + handler + below(on)

    private fun below(on: String) = when (on) {
        "tomcat" -> tomcat
        "netty" -> netty
        "virtual" -> virtual
        else -> error("no such kind of thread: $on")
    }
}

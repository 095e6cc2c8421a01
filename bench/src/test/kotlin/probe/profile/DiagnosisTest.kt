package threadgauge.probe.profile

import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.net.URI
import java.nio.file.Path
import java.util.Random
import java.util.concurrent.atomic.LongAdder
import kotlin.concurrent.thread
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.cause.becauseOf
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.profile.Profile
import threadgauge.model.request.Request
import threadgauge.probe.JvmProbe

/**
 * From a real process to the cause: a few illnesses of the many in `benchmarks/patients`, and a healthy one, in a
 * server that needs the JDK alone.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiagnosisTest {
    private lateinit var temporary: Path
    private lateinit var process: SourceProcess
    private lateinit var jvm: JvmProbe
    private var port = 0

    @BeforeAll
    fun start(@TempDir folder: Path) {
        temporary = folder
        process = SourceProcess(
            temporary, "Patients", SOURCE, "-Xmx128m", "-XX:+UseSerialGC", "-Dsun.net.httpserver.nodelay=true",
            *COMPILES_LOCK_AT_ONCE,
        )
        port = process.said.toInt()
        jvm = JvmProbe.attach(process.pid).shouldNotBeNull()
    }

    @AfterAll
    fun stop() {
        jvm.close()
        process.close()
    }

    @Test
    fun `a lock that all requests take`() {
        val lock = diagnosed("/lock").holder.shouldBeInstanceOf<Holder.Lock>()
        lock.of shouldBe "Patients\$Stock"
        lock.place.shouldNotBeNull().at.line shouldBe lineOf("lock")
        lock.waiting.shouldBeBetween(2.0, USERS.toDouble(), 0.0)
    }

    @Test
    fun `a pool of too few connections`() {
        val pool = diagnosed("/pool").holder.shouldBeInstanceOf<Holder.ConnectionPool>()
        pool.place.shouldNotBeNull().at.line shouldBe lineOf("pool")
        pool.waiting.shouldNotBeNull().shouldBeBetween(2.0, USERS.toDouble(), 0.0)
    }

    @Test
    fun `a service that has threads to spare, and whose users wait for it`() {
        val because = diagnosed("/healthy")
        because.holder.shouldBeInstanceOf<Holder.Load>().users shouldBe USERS
        val sleep = because.split.single { it.kind == TimeKind.SLEEP }
        sleep.place.shouldNotBeNull().at.line shouldBe lineOf("healthy")
        // It sleeps for 30 ms; what else there is depends on how busy the machine is.
        (sleep.micros / 1e3).shouldBeBetween(25.0, because.meanMicros / 1e3, 0.1)
        sleep.micros / because.meanMicros shouldBeGreaterThan 0.3
    }

    private fun diagnosed(path: String): Because {
        val clients = Clients(path)
        val profile = ProfileRecorder(jvm, { setOf(jvm.pid) }, isOurs = true, temporary.resolve("p"), Random(1)).use {
            it.begin(maxSeconds = 60)
            val start = System.nanoTime() + LEAD_IN_NANOS
            it.watch(start, WINDOW_NANOS)
            clients.countedBetween(start, start + WINDOW_NANOS)
            val load = Profile(
                situation = "s", atMillis = 0.0, windowMillis = WINDOW_NANOS / 1e6, tookMillis = 0.0,
                answered = clients.answered.sum(), meanMicros = clients.nanos.sum() / 1e3 / clients.answered.sum(),
                cores = Runtime.getRuntime().availableProcessors(),
            )
            it.end(load).profile
        }
        val trial =
            Trial("a", 1, TrialState.MEASURED, command = listOf("x"), log = "a.log", profiles = listOf(profile))
        val situation = Situation("s", "are examples", Request(path = path), Load.Users(USERS, WINDOW_NANOS))
        return becauseOf(listOf(trial), situation, isServed = false).shouldNotBeNull()
    }

    /** Users who each ask again as soon as they are answered. */
    private inner class Clients(private val path: String) {
        val answered = LongAdder()
        val nanos = LongAdder()

        fun countedBetween(startNanos: Long, endNanos: Long) = List(USERS) {
            thread(name = "client", isDaemon = true) {
                while (System.nanoTime() < endNanos) {
                    val sent = System.nanoTime()
                    URI("http://127.0.0.1:$port$path").toURL().openStream().use { it.readAllBytes() }
                    val now = System.nanoTime()
                    if (now in startNanos..endNanos) {
                        answered.increment()
                        nanos.add(now - sent)
                    }
                }
            }
        }.forEach { it.join() }
    }

    private fun lineOf(mark: String) = SourceProcess.lineOf(mark, SOURCE)

    private companion object {
        /**
         * The interpreter is past the instruction that locks, on the next line, and how long it keeps a method depends
         * on how busy the machine is. So this one is compiled at its second call, which waits for that.
         */
        val COMPILES_LOCK_AT_ONCE = arrayOf(
            "-XX:CompileCommand=quiet", "-XX:CompileCommand=CompileThresholdScaling,Patients::lock,0.001",
            "-XX:CompileCommand=BackgroundCompilation,Patients::lock,false",
        )
        const val USERS = 8
        const val LEAD_IN_NANOS = 1_000_000_000L
        const val WINDOW_NANOS = 2_000_000_000L
        val SOURCE = """
            import com.sun.net.httpserver.HttpServer;
            import java.net.InetSocketAddress;
            import java.util.concurrent.Executors;
            import java.util.concurrent.Semaphore;

            public class Patients {
                static final class Stock {}

                static final Stock STOCK = new Stock();
                static final Semaphore CONNECTIONS = new Semaphore(1);

                static void lock() throws InterruptedException {
                    synchronized (STOCK) { // lock
                        Thread.sleep(10);
                    }
                }

                static void pool() throws InterruptedException {
                    CONNECTIONS.acquire(); // pool
                    try {
                        Thread.sleep(10);
                    } finally {
                        CONNECTIONS.release();
                    }
                }

                static void healthy() throws InterruptedException {
                    Thread.sleep(30); // healthy
                }

                public static void main(String[] arguments) throws Exception {
                    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
                    server.setExecutor(Executors.newFixedThreadPool(32));
                    server.createContext("/", exchange -> {
                        try {
                            switch (exchange.getRequestURI().getPath()) {
                                case "/lock" -> lock();
                                case "/pool" -> pool();
                                default -> healthy();
                            }
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        exchange.sendResponseHeaders(200, 2);
                        exchange.getResponseBody().write(new byte[2]);
                        exchange.close();
                    });
                    server.start();
                    System.out.println(server.getAddress().getPort());
                }
            }
        """.trimIndent() + "\n"
    }
}

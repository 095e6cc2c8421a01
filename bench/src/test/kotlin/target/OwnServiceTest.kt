package threadgauge.target

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.io.FileNotFoundException
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Container
import threadgauge.model.SeenPort
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.runs
import threadgauge.wording.failure.words

@Tag("processes")
class OwnServiceTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `an unknown port is found, even if the service is the child of a script`() {
        val port = Target.freePort()
        val script = listOf("sh", "-c", "\"$@\"; echo over", "script") + TinyService.command("$port:/orders:two")
        start(script).use { service ->
            val boot = service.awaitReady(likelyPort = port) { host, at -> wrongAt(host, at, "/orders") }
            service.port shouldBe port
            service.tookItsPort shouldBe false
            service.host shouldBe "127.0.0.1"
            boot.firstAnswerMillis shouldBeGreaterThan 0.0
            val shell = service.family().first()
            service.pid shouldNotBe shell
            service.family() shouldContain service.pid
        }
    }

    @Test
    fun `the port in its environment is the one that is used`() {
        // Not that of its command, which it does not mention.
        start(TinyService.command("0:/:hello")).use { service ->
            service.awaitReady { host, at -> wrongAt(host, at, "/") }
            service.command.none { it.startsWith("${service.port}:") } shouldBe true
        }
    }

    @Test
    fun `of several ports the one with a correct answer is taken`() {
        val (metrics, orders) = List(2) { Target.freePort() }.sorted()
        start(TinyService.command("$metrics:/metrics:x", "$orders:/orders:y")).use { service ->
            service.awaitReady(likelyPort = orders) { host, at -> wrongAt(host, at, "/orders") }
            service.port shouldBe orders
            service.answers shouldBe listOf(
                SeenPort(metrics, isAssigned = false, AnswerFault.Status("GET /orders", 404)),
                SeenPort(orders, isAssigned = false),
            )
        }
    }

    @Test
    fun `a metrics port that answers everything long before the service does is not the service`() {
        val metrics = Target.freePort()
        start(TinyService.command("$metrics:*:metrics", "PORT:/orders:two:3000")).use { service ->
            val boot = service.awaitReady { host, at -> wrongAt(host, at, "/orders") }
            service.port shouldNotBe metrics
            service.tookItsPort shouldBe true
            boot.firstAnswerMillis shouldBeGreaterThan 3_000.0
            service.answers.map { it.isAssigned } shouldContainExactlyInAnyOrder listOf(true, false)
        }
    }

    @Test
    fun `an unknown port of its own counts at the latest when the time to start is up`() {
        val own = Target.freePort()
        start(TinyService.command("$own:/:hello"), startWithinMillis = 4_000).use { service ->
            val boot = service.awaitReady { host, at -> wrongAt(host, at, "/") }
            service.port shouldBe own
            // The boot time is that of the answer, however long it was not accepted.
            boot.firstAnswerMillis shouldBeLessThan 4_000.0
        }
    }

    @Test
    fun `a port that accepts and never answers delays no other`() {
        val silent = Target.freePort()
        start(TinyService.command("$silent:!:", "PORT:/:hello")).use { service ->
            val boot = service.awaitReady { host, at -> if (at == silent) hang() else wrongAt(host, at, "/") }
            service.port shouldNotBe silent
            boot.firstAnswerMillis shouldBeLessThan 9_000.0
        }
    }

    @Test
    fun `a service that reads two variables for two ports gets two`() {
        start(TinyService.command("PORT:/:a", "HTTP_PORT:/:b")).use { service ->
            service.awaitReady { host, at -> wrongAt(host, at, "/") }
            service.tookItsPort shouldBe true
        }
    }

    @Test
    fun `the user of a service that opens its port twice is advised to name the port`() {
        val port = Target.freePort()
        start(TinyService.command("PORT:/:a", "PORT:/:b:500"), port = port).use { service ->
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> AnswerFault.Refused } }
                .words() shouldContain "it opens the same port twice"
        }
    }

    @Test
    fun `a service that refuses, or is temporarily unavailable, is tried again`() {
        var asked = 0
        start(TinyService.command("PORT:/:a")).use { service ->
            service.awaitReady { _, _ -> if (asked++ == 0) AnswerFault.Status("GET /", 429) else null }
            asked shouldBe 2
        }
    }

    @Test
    fun `a service that ends with its standard input keeps running`() {
        start(listOf("sh", "-c", "cat; exit 4"), startWithinMillis = 1_000).use { service ->
            val failure = shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }
            failure.words() shouldContain "it opened no port"
        }
    }

    @Test
    fun `a service on IPv6 alone is found there`() {
        val port = Target.freePort()
        val script = "import socket,sys;s=socket.socket(socket.AF_INET6);s.setsockopt(socket.IPPROTO_IPV6," +
            "socket.IPV6_V6ONLY,1);s.bind(('::',$port));s.listen();[s.accept() for _ in range(99)]"
        assumeTrue(Path.of("/usr/bin/python3").exists() && Path.of("/proc/net/if_inet6").exists())
        start(listOf("python3", "-c", script)).use { service ->
            service.awaitReady(likelyPort = port) { host, at ->
                runCatching { Socket(host, at).close() }.fold({ null }, { AnswerFault.Refused })
            }
            service.host shouldBe "::1"
        }
    }

    private fun hang(): AnswerFault {
        Thread.sleep(60_000)
        return AnswerFault.Refused
    }

    @Test
    fun `after its end its port is free for the next service`() {
        val port = Target.freePort()
        repeat(2) {
            start(TinyService.command("$port:/:again")).use { service ->
                service.awaitReady(likelyPort = port) { host, at -> wrongAt(host, at, "/") }
                service.port shouldBe port
            }
            ServerSocket(port).close()
        }
    }

    @Test
    fun `a process in a session of its own is stopped, although the command that started it has ended`() {
        val over = folder.resolve("over")
        val script = "setsid \"$@\" & until [ -e $over ]; do sleep 0.05; done"
        val service = start(listOf("sh", "-c", script, "script") + TinyService.command("PORT:/:hello"))
        val orphan = service.use {
            it.awaitReady { host, port -> wrongAt(host, port, "/") }
            val leader = ProcessHandle.of(it.family().first()).orElseThrow()
            Files.createFile(over)
            leader.onExit().get(10, TimeUnit.SECONDS)
            ProcessHandle.of(it.pid!!).orElseThrow().also { process -> process.isAlive shouldBe true }
        }
        orphan.onExit().get(10, TimeUnit.SECONDS)
        orphan.isAlive shouldBe false
    }

    @Test
    fun `a service that never answers correctly is reported with its ports and its answers`() {
        val port = Target.freePort()
        start(TinyService.command("$port:/orders:two"), startWithinMillis = 3_000).use { service ->
            val failure = shouldThrow<TargetFailed> { service.awaitReady { host, at -> wrongAt(host, at, "/oders") } }
            failure.words() shouldContain "in 3 s there was no correct answer: port $port answered GET " +
                "/oders with status 404. Give another path"
            failure.words() shouldContain service.log.toString()
        }
    }

    @Test
    fun `a service that opens no port is given up`() {
        start(listOf("sleep", "60"), startWithinMillis = 300).use { service ->
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }.words() shouldContain "it opened no port"
        }
    }

    @Test
    fun `a configured port counts, whatever else is open`() {
        val (open, given) = List(2) { Target.freePort() }
        start(TinyService.command("$open:/:x"), port = given, startWithinMillis = 2_000).use { service ->
            val failure = shouldThrow<TargetFailed> { service.awaitReady { host, at -> wrongAt(host, at, "/") } }
            failure.words() shouldContain "nothing listened on port $given; it listens on $open"
        }
    }

    @Test
    fun `a port that is in use is reported before anything is started`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            val failure = shouldThrow<TargetFailed> { start(listOf("sleep", "60"), port = taken.localPort) }
            failure.words() shouldContain "port ${taken.localPort} is in use by another program"
        }
    }

    @Test
    fun `a service whose own port is taken is reported as such`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            start(TinyService.command("${taken.localPort}:/:x")).use { service ->
                val failure = shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }
                failure.words() shouldContain "exit code 1; another program uses its port"
            }
        }
    }

    @Test
    fun `a command that leaves its service in the background is reported as such`() {
        start(listOf("sh", "-c", "sleep 60 &")).use { service ->
            val before = System.nanoTime()
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }
                .words() shouldContain "exit code 0; the command must run until the service ends"
            (System.nanoTime() - before) shouldBeLessThan 10_000_000_000
        }
    }

    @Test
    fun `a service gets its port in arguments and in variables`() {
        val command = listOf("sh", "-c", "echo asked {port} \$SERVER_PORT \$MINE")
        start(command, environment = mapOf("MINE" to "at-{port}")).use { service ->
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }.words() shouldContain
                "asked ${service.port} ${service.port} at-${service.port}"
        }
    }

    @Test
    fun `a container is asked at its published port, and removed although it ignores TERM`() {
        val engine = FakeEngine(folder.resolve("engine"))
        val container = Container("shop:1.4", port = 8080)
        withEngine(engine) {
            val environment = mapOf("SECRET" to "x y", "DOCKER_HOST" to "tcp://db:1")
            start(TinyService.command("PORT:/:hello"), environment = environment, container = container)
        }.use { service ->
            service.awaitReady { host, at -> wrongAt(host, at, "/") }
            engine.ran shouldContain "--publish=127.0.0.1:${service.port}:8080"
            engine.ran.filter { it.startsWith("--env=") } shouldBe
                // The engine would read the second of its own environment.
                listOf("--env=DOCKER_HOST=tcp://db:1", "--env=SECRET")
            // The engine's process is none of this machine's, as far as anybody can tell.
            service.pid shouldBe null
            service.family() shouldBe emptySet()
            service.tookItsPort shouldBe true
        }
        ProcessHandle.of(engine.pid!!).map(::runs).orElse(false) shouldBe false
    }

    @Test
    fun `a container that cannot be started says why`() {
        val engine = FakeEngine(folder.resolve("engine"), image = "other")
        val failure = shouldThrow<TargetFailed> {
            withEngine(engine) { start(emptyList(), container = Container("shop:1.4", port = 8080)) }
        }
        failure.words() shouldContain "has no image shop:1.4; fetch it first"
    }

    private fun <T> withEngine(engine: FakeEngine, start: () -> T): T = try {
        System.setProperty("threadgauge.engine", engine.program)
        start()
    } finally {
        System.clearProperty("threadgauge.engine")
    }

    private fun start(
        command: List<String>,
        port: Int? = null,
        startWithinMillis: Long = 20_000,
        environment: Map<String, String> = emptyMap(),
        container: Container? = null,
    ): OwnService {
        val stack = Stack(
            "mine", "mine", ConcurrencyModel.UNKNOWN, "your own", command, folder.toString(), keepsContract = false,
            environment = environment, port = port, startWithinNanos = startWithinMillis * 1_000_000,
            container = container,
        )
        return OwnService.start(stack, "java", emptyList(), folder.resolve("log"))
    }

    private fun wrongAt(host: String, port: Int, path: String): AnswerFault? = try {
        URI("http://$host:$port$path").toURL().openStream().close()
        null
    } catch (_: FileNotFoundException) {
        AnswerFault.Status("GET $path", 404)
    } catch (_: IOException) {
        AnswerFault.Refused
    }
}

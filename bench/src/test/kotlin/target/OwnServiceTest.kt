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
import java.nio.file.Path
import kotlin.io.path.exists
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.ConcurrencyModel
import threadgauge.model.SeenPort
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.wording.failure.words

@Tag("processes")
class OwnServiceTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a port that nobody told is found, also where the service is the child of a script`() {
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
    fun `the port in its environment is the one that is asked`() {
        // Not the one of its command, which it does not name.
        start(TinyService.command("0:/:hello")).use { service ->
            service.awaitReady { host, at -> wrongAt(host, at, "/") }
            service.command.none { it.startsWith("${service.port}:") } shouldBe true
        }
    }

    @Test
    fun `of several ports the one that answers correctly is taken`() {
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
    fun `a port for metrics that answers everything, long before the service does, is not the service`() {
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
    fun `a port of its own that nobody knows counts when the time for the start is up, at the latest`() {
        val own = Target.freePort()
        start(TinyService.command("$own:/:hello"), startWithinMillis = 4_000).use { service ->
            val boot = service.awaitReady { host, at -> wrongAt(host, at, "/") }
            service.port shouldBe own
            // Boot is when the answer came, however long it was not believed.
            boot.firstAnswerMillis shouldBeLessThan 4_000.0
        }
    }

    @Test
    fun `a port that accepts and never answers holds nobody up`() {
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
    fun `a service that opens its port twice is advised to name it`() {
        val port = Target.freePort()
        start(TinyService.command("PORT:/:a", "PORT:/:b:500"), port = port).use { service ->
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> AnswerFault.Refused } }
                .words() shouldContain "it opens the same port twice"
        }
    }

    @Test
    fun `what refuses for a moment, or asks for patience, is asked again`() {
        var asked = 0
        start(TinyService.command("PORT:/:a")).use { service ->
            service.awaitReady { _, _ -> if (asked++ == 0) AnswerFault.Status("GET /", 429) else null }
            asked shouldBe 2
        }
    }

    @Test
    fun `a service that lives as long as its input is open lives`() {
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
    fun `when it has ended its port is free for the next one`() {
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
    fun `a service that never answers correctly is told with its ports and its answers`() {
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
    fun `a port that was given counts, whatever else is open`() {
        val (open, given) = List(2) { Target.freePort() }
        start(TinyService.command("$open:/:x"), port = given, startWithinMillis = 2_000).use { service ->
            val failure = shouldThrow<TargetFailed> { service.awaitReady { host, at -> wrongAt(host, at, "/") } }
            failure.words() shouldContain "nothing listened on port $given; it listens on $open"
        }
    }

    @Test
    fun `a port that another program has is told before anything is started`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            val failure = shouldThrow<TargetFailed> { start(listOf("sleep", "60"), port = taken.localPort) }
            failure.words() shouldContain "port ${taken.localPort} is in use by another program"
        }
    }

    @Test
    fun `a service that finds its own port taken is told so`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            start(TinyService.command("${taken.localPort}:/:x")).use { service ->
                val failure = shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }
                failure.words() shouldContain "exit code 1; another program uses its port"
            }
        }
    }

    @Test
    fun `a command that leaves its service in the background is told to stay`() {
        start(listOf("sh", "-c", "sleep 60 &")).use { service ->
            val before = System.nanoTime()
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }
                .words() shouldContain "exit code 0; the command must run until the service ends"
            (System.nanoTime() - before) shouldBeLessThan 10_000_000_000
        }
    }

    @Test
    fun `what a service is told of its port it is told in arguments and variables`() {
        val command = listOf("sh", "-c", "echo asked {port} \$SERVER_PORT \$MINE")
        start(command, environment = mapOf("MINE" to "at-{port}")).use { service ->
            shouldThrow<TargetFailed> { service.awaitReady { _, _ -> null } }.words() shouldContain
                "asked ${service.port} ${service.port} at-${service.port}"
        }
    }

    private fun start(
        command: List<String>,
        port: Int? = null,
        startWithinMillis: Long = 20_000,
        environment: Map<String, String> = emptyMap(),
    ): OwnService {
        val stack = Stack(
            "mine", "mine", ConcurrencyModel.UNKNOWN, "your own", command, folder.toString(), keepsContract = false,
            environment = environment, port = port, startWithinNanos = startWithinMillis * 1_000_000,
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

package threadgauge.cli

import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.target.Target
import threadgauge.target.TinyService
import threadgauge.wording.failure.reason

@Tag("processes")
class TryCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `a service at a fixed port is compared with itself, one process after the other`() {
        val port = Target.freePort()
        val command = quoted(TinyService.command("$port:/orders:two"))
        val run = commandLine.run("try", command, "--against", command, "--path", "/orders", *SHORT)
        run.exitCode shouldBe 0
        val record = run.record()
        record.trials.map { it.stack }.sorted() shouldContainExactly listOf("tinyservice", "tinyservice-b")
        for (trial in record.trials) {
            trial.boot.shouldNotBeNull()
            trial.firstAnswer.shouldNotBeNull().let { (it.status to it.bytes) shouldBe (200 to 3L) }
            trial.facts shouldContainKey "garbage collectors"
            trial.samples.single().cost.cpuUserMillis.shouldNotBeNull()
            trial.samples.single().counts.failed shouldBe 0
        }
        run.out shouldContain "tinyservice-b (TinyService again)"
        run.out shouldNotContain "unequal"
    }

    @Test
    fun `a URL is loaded where it runs, and keeps running`() {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
        server.createContext("/") { exchange ->
            exchange.sendResponseHeaders(200, 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        server.start()
        try {
            val url = "http://localhost:${server.address.port}/"
            val run = commandLine.run("try", url, *SHORT)
            run.exitCode shouldBe 0
            val trial = run.record().trials.single()
            trial.boot.shouldBeNull()
            trial.command shouldContainExactly emptyList()
            trial.samples.single().counts.failed shouldBe 0
            run.out.replace(Regex("\\s+"), " ") shouldContain "ran already"
            java.net.URI(url).toURL().readText() shouldBe "ok"
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `a load begins when the service has worked off what the last load left`() {
        // It serves one request after the other, also those of clients that have gone. Forty take 16 s; the load waits
        // for 11 s of them. On a machine so busy that loads begin late, each wake-up of the server is late as well.
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
        server.createContext("/") { exchange ->
            repeat(40) { Thread.sleep(10) }
            exchange.sendResponseHeaders(200, 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        server.start()
        try {
            val run = commandLine.run(
                "try", "http://localhost:${server.address.port}/", "--users", "40", "--for", "1s", "--warm-up", "1s",
                "--quick",
            )
            run.record().trials.first().samples.single().putOffMillis.shouldNotBeNull() shouldBeGreaterThan 1_000.0
            // Because the load waited, it is a note, which only the report has.
            run.recordFolder().path.resolve("report.html").readText() shouldContain "abandoned requests"
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `a URL without a server is reported, with exit code 2`() {
        val run = commandLine.run("try", "http://localhost:${Target.freePort()}/", *SHORT)
        run.exitCode shouldBe 2
        run.out shouldContain "refused the connection"
    }

    @Test
    fun `a service that is never ready is started once, not in every trial`() {
        val run = commandLine.run("try", "sh -c 'echo no licence; exit 3'", "--trials", "3")
        run.exitCode shouldBe 2
        run.record().trials.single().reason().shouldNotBeNull() shouldContain "exit code 3"
        run.out shouldContain "no licence"
        run.out shouldContain "so it is skipped"
    }

    @Test
    fun `mistakes of the command line are reported at once, and nothing is started`() {
        val run = commandLine.run("try", "no-such-program", "--users", "0", "--for", "5", "--margin", "3")
        run.exitCode shouldBe 64
        for (option in listOf("TARGET: ", "--users: ", "--for: ", "--margin: ")) run.err shouldContain option
        Files.exists(folder.resolve("results")) shouldBe false
    }

    @Test
    fun `a mistake in a request file is reported with its line`() {
        val file = folder.resolve("order.yaml").also { Files.writeString(it, "send: GET /\nbodie: x\n") }
        val run = commandLine.run("try", "sh x", "--request", file.toString())
        run.exitCode shouldBe 65
        run.err shouldContain "order.yaml:2:1: unknown key \"bodie\""
    }

    @Test
    fun `Ctrl-C leaves nothing of a service, not even the children of its script`() {
        val script = "sh -c \"${quoted(TinyService.command("0:/:x")).replace("\"", "\\\"")}; sleep 60\""
        val run = commandLine.start("try", script, "--for", "60s")
        run.awaitOutput("started in")
        val family = run.family()
        family.size shouldBeGreaterThan 3
        run.signal("INT")
        run.await().exitCode shouldBe 130
        awaitAllGone(family)
        run.record().state shouldBe RunState.INTERRUPTED
        run.recordFolder().path.resolve("report.html").readText() shouldContain "Interrupted"
    }

    private fun quoted(words: List<String>) = words.joinToString(" ") { "'$it'" }

    private companion object {
        val SHORT = arrayOf("--users", "3", "--for", "1s", "--warm-up", "2s", "--quick")
    }
}

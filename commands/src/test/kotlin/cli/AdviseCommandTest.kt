package threadgauge.cli

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.judge
import threadgauge.model.TrialState
import threadgauge.model.advice.LimitedResource
import threadgauge.model.judgement.advice.ChangeOutcome
import threadgauge.store.RecordFolder

/** Advice on Spring MVC with four threads of Tomcat, whose requests wait for 100 ms: 40/s, whatever the machine. */
@Tag("processes")
class AdviseCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `what holds a service is named, with what to set and what that comes to, and report says it again`() {
        val run = commandLine.run("advise", FEW_THREADS, *PATH, "--users", "40", "--for", "4s", "--warm-up", "3s")
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        val record = run.record()
        val advice = judge(record).advice.single()
        advice.limits.first().let {
            it.resource shouldBe LimitedResource.REQUEST_THREADS
            it.count shouldBe 4.0
        }
        val threads = advice.changes.single { it.change.id == "tomcat-threads" }
        threads.setting shouldBe "server.tomcat.threads.max=8"
        threads.outcome.shouldBeInstanceOf<ChangeOutcome.Gain>().prediction.ratio.value shouldBe (2.0 plusOrMinus 0.2)
        val virtual = advice.changes.single { it.change.id == "spring-virtual-threads" }
        virtual.outcome.shouldBeInstanceOf<ChangeOutcome.Gain>().prediction.ratio.value shouldBeGreaterThan 2.0
        val words = run.out.replace(Regex("\\s+"), " ")
        words shouldContain "The lowest limit that is known: 4 request threads"
        words shouldContain "More threads of Tomcat, 4 → 8 (server.tomcat.threads.max=8)"
        run.recordFolder().path.resolve("report.html").readText() shouldContain "More threads of Tomcat"
        val again = commandLine.run("report", "${run.recordFolder().path}")
        again.out.replace(Regex("\\s+"), " ") shouldContain "4 request threads"
    }

    @Test
    fun `each change is carried out beside the service as it was, and one that does not start is told`() {
        val changes = folder.resolve("ours.yaml").also {
            it.writeText(
                """
                changes:
                  - id: spring-virtual-threads
                    title: A setting that no JVM knows
                    resource: request threads
                    effect: times 3
                    set: {jvm: "-XX:NoSuchOption", to: "={value}"}
                    source: https://example.org
                """.trimIndent(),
            )
        }
        val run = commandLine.run(
            "advise", FEW_THREADS, *PATH, "--users", "40", "--for", "4s", "--warm-up", "3s", "--changes", "$changes",
            "--prove", "--trials", "1",
        )
        withClue(run.out + run.err) { run.exitCode shouldBe ExitCode.CANNOT_TELL.number }
        val records = folder.resolve("results").listDirectoryEntries().filter { it.isDirectory() }
            .map { RecordFolder(it).read() }
        val proof = records.single { it.plan.advice.shouldNotBeNull().proofs.isNotEmpty() }
        val failed = proof.trials.single { it.state == TrialState.FAILED }
        val base = proof.plan.stacks.first().name
        failed.stack shouldBe "$base-spring-virtual-threads"
        proof.trials.filter { it.state == TrialState.MEASURED }.map { it.stack } shouldContainAll
            listOf(base, "$base-tomcat-threads")
        val proofs = judge(proof).proofs
        proofs.single { it.proof.change == "tomcat-threads" }.let {
            it.ratio.shouldNotBeNull().value shouldBe (2.0 plusOrMinus 0.4)
            it.isWithin shouldBe true
            it.hadNoEffect shouldBe false
        }
        proofs.single { it.proof.change == "spring-virtual-threads" }.measured shouldBe null
        run.out shouldContain "Predicted beside measured"
        run.out.replace(Regex("\\s+"), " ") shouldContain "1 could not be measured"
    }

    @Test
    fun `a URL has advice if its JVM can be seen, and nothing of it can be proven`() {
        val server = serving { 200 }
        try {
            val run = commandLine.run("advise", server.url, *FEW, "--prove")
            val words = run.out.replace(Regex("\\s+"), " ")
            words shouldContain "Nothing can be proven: the service at this URL runs already"
            run.record().plan.advice.shouldNotBeNull().proofs.shouldBeEmpty()
            folder.resolve("results").listDirectoryEntries().count { it.isDirectory() } shouldBe 1
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `a path that asks for a login is told with what to give, and has advice with it`() {
        val server = serving { if (it.requestHeaders.getFirst("Authorization") == "Bearer pass") 200 else 401 }
        try {
            val refused = CommandLine(folder.resolve("refused").createDirectory()).run("advise", server.url, *FEW)
            refused.exitCode shouldBe ExitCode.CANNOT_TELL.number
            val words = (refused.err + refused.out).replace(Regex("\\s+"), " ")
            words shouldContain "answered GET / with status 401"
            words shouldContain "The service requires authentication: give headers in a --request file"
            folder.resolve("login.yaml").writeText("send: GET /\nheaders: {Authorization: Bearer pass}\n")
            val answered = commandLine.run("advise", server.url.dropLast(1), *FEW, "--request", "login.yaml")
            withClue(answered.out + answered.err) { answered.exitCode shouldBe 0 }
            judge(answered.record()).advice.single().limits.shouldNotBeEmpty()
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `mistakes of the command line and of the catalogue are reported at once, and nothing is started`() {
        val changes = folder.resolve("ours.yaml").also { it.writeText("changes:\n  - {id: a, resurce: lock}\n") }
        val run = commandLine.run(
            "advise", "no-such-program", "--users", "0", "--trials", "3", "--against", "x", "--changes", "$changes",
        )
        run.exitCode shouldBe 65
        for (part in listOf(
            "TARGET: ", "--users: ", "--trials: one process is enough", "--against: ",
            "ours.yaml:2:13: unknown key \"resurce\" in a change",
        )) {
            run.err shouldContain part
        }
        Files.exists(folder.resolve("results")) shouldBe false
        commandLine.run("advise", "sh x", "--changes", "none.yaml").err shouldContain "there is no such file"
    }

    /** A server of this JVM that answers with [status]. */
    private fun serving(status: (HttpExchange) -> Int): HttpServer {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
        server.createContext("/") { exchange ->
            exchange.sendResponseHeaders(status(exchange), 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        return server.apply { start() }
    }

    private val HttpServer.url get() = "http://localhost:${address.port}/"

    private companion object {
        val FEW_THREADS = "{java} -Dserver.tomcat.threads.max=4 -Dserver.tomcat.threads.min-spare=4 " +
            "-jar ${CommandLine.projectRoot}/servers/stacks/spring-mvc/target/spring-mvc.jar"
        val PATH = arrayOf("--path", "/block/100")

        /** A load that any service answers. */
        val FEW = arrayOf("--rate", "50/s", "--for", "2s", "--warm-up", "1s")
    }
}

package threadgauge.cli

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.wording.failure.reason

/**
 * Whatever process ends, and whenever: a clear message, the record so far, and no process left. [ResumeCommandTest]
 * resumes runs afterwards, and tests what a single Ctrl-C leaves.
 */
@Tag("processes")
class RunFaultsTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    /** A run long enough to be disturbed. */
    private fun longRun() = commandLine.start("run", commandLine.experiment("{users: 5, for: 60s}").toString())

    @Test
    fun `Ctrl-C twice ends at once and leaves no process`() {
        val run = longRun()
        run.awaitOutput("started in")
        val family = run.family()
        run.signal("INT")
        run.signal("INT")
        run.await().exitCode shouldBe 130
        awaitAllGone(family)
        run.record() // the last complete record can be read
    }

    @Test
    fun `kill -9 of the coordinator leaves no process and a readable record`() {
        val run = longRun()
        run.awaitOutput("started in")
        val family = run.family()
        run.signal("KILL")
        run.await()
        awaitAllGone(family)
        run.record().state shouldBe RunState.RUNNING
        commandLine.run("report", run.recordFolder().path.toString()).exitCode shouldBe 0
    }

    @Test
    fun `kill -9 of the agent ends the run, naming its log`() {
        val run = longRun()
        run.awaitOutput("started in")
        val family = run.family()
        run.member("AgentMainKt").destroyForcibly()
        run.await().exitCode shouldBe 69
        awaitAllGone(family)
        run.err shouldContain "The load agent stopped"
        run.err shouldContain "agent.log"
        run.record().state shouldBe RunState.FAILED
        Files.exists(run.recordFolder().path.resolve("report.html")) shouldBe true
    }

    @Test
    fun `a server that dies under load ends its trial, naming its log, and the run ends properly`() {
        val run = longRun()
        run.awaitOutput("started in")
        val family = run.family()
        run.member("ktor.jar").destroyForcibly()
        run.await().exitCode shouldBe 2
        awaitAllGone(family)
        val trial = run.record().trials.single()
        trial.state shouldBe TrialState.FAILED
        trial.reason().shouldNotBeNull() shouldContain "it ended with exit code 137. Its log: "
        trial.reason().shouldNotBeNull() shouldContain "ktor-netty-1.log"
        run.record().state shouldBe RunState.COMPLETE
        run.out shouldContain "ktor-netty failed"
    }

    @Test
    fun `a backend that dies under load ends the run, and measurements without it are no result`() {
        val run = commandLine.start(
            "run", commandLine.experiment("{users: 5, for: 60s}", path = "/fanout/coroutine/5?n=2").toString(),
        )
        run.awaitOutput("started in")
        val family = run.family()
        run.member("upstream.jar").destroyForcibly()
        run.await().exitCode shouldBe 69
        awaitAllGone(family)
        run.err shouldContain "upstream ended with exit code 137, and nothing can be measured without it"
        run.record().trials.single().let { it.state shouldBe TrialState.FAILED; it.samples shouldBe emptyList() }
    }

    @Test
    fun `a server that dies while starting is reported with the end of its log`() {
        val home = homeWithStack(folder, jar = "target/no-such.jar", arguments = "[\"{port}\"]")
        val cli = CommandLine(folder, home)
        val run = cli.run("run", cli.experiment(stack = "made-up").toString())
        run.exitCode shouldBe 2
        run.out shouldContain "made-up failed"
        run.out shouldContain "no-such.jar"
        run.record().trials.single().state shouldBe TrialState.FAILED
    }

    @Test
    fun `a port in use is reported with the server's own message`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { taken ->
            val arguments = "['-port=${taken.localPort}', '-P:stack.name=made-up', '-P:unused={port}']"
            val home = homeWithStack(folder, "target/ktor.jar", arguments)
            val built = CommandLine.projectRoot.resolve("servers/stacks/ktor/target")
            val link = Files.createSymbolicLink(home.resolve("servers/made-up/target"), built)
            val cli = CommandLine(folder, home)
            val run = cli.run("run", cli.experiment(stack = "made-up").toString())
            run.exitCode shouldBe 2
            run.out shouldContain "in use"
            Files.delete(link)
        }
    }

    @Test
    fun `a full disk ends the run with exit code 74 and keeps the last good record`() {
        val run = longRun()
        run.awaitOutput("started in")
        val family = run.family()
        // A limit on the size of files acts as a full disk: the next write fails in the same way.
        run.limitFiles(bytes = 2_500)
        run.await().exitCode shouldBe 74
        awaitAllGone(family)
        run.err shouldContain "could not be written"
        run.record().state shouldBe RunState.RUNNING
    }
}

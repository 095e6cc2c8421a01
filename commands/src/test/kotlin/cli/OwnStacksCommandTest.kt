package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.target.TinyService

/** Services of the user's own in an experiment file, with what they need beside them. */
@Tag("processes")
class OwnStacksCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `stacks of one's own get their folder, their variables and what services pass on, and nothing is left`() {
        val place = folder.resolve("place").createDirectory()
        place.resolve("body").writeText("from its folder")
        script(place, "fuller", "0:*:@body", before = "echo \"\$BACKEND \$OWN\" >seen")
        script(folder, "plain", "0:*:ok")
        script(folder, "backend", "MAIL_PORT:/health:well")
        val file = experiment(
            """
            stacks:
              - {name: plain, command: ./plain.sh}
              - {name: fuller, command: ./fuller.sh, folder: place, env: {OWN: mine}, ready: GET /ready}
            services:
              - name: backend
                command: ./backend.sh
                env: {MAIL_PORT: "{port}"}
                ready: GET /health
                passes: {BACKEND: "http://127.0.0.1:{port}", OWN: of the service}
            goals: errors<=0%
            """,
        )
        val run = commandLine.run("run", "$file", "--quick")
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        val record = run.record()
        record.state shouldBe RunState.COMPLETE
        record.trials.map { it.state } shouldBe listOf(TrialState.MEASURED, TrialState.MEASURED)
        record.trials.single { it.stack == "plain" }.firstAnswer.shouldNotBeNull().bytes shouldBe 2
        record.trials.single { it.stack == "fuller" }.firstAnswer.shouldNotBeNull().bytes shouldBe 15
        record.plan.services.map { it.name } shouldBe listOf("backend")
        record.trials.forEach { trial -> trial.samples.single().counts.failed shouldBe 0 }
        place.resolve("seen").readText() shouldMatch Regex("http://127.0.0.1:\\d+ mine\n")
        run.out shouldContain "Goals: 2 kept"
        servicesLeft().shouldBeEmpty()
    }

    @Test
    fun `a service that is not ready in time, or ends, is named with its log, and nothing is left`() {
        script(folder, "plain", "0:*:ok")
        val file = experiment(
            """
            stacks:
              - {name: plain, command: ./plain.sh}
            services:
              - {name: broken, command: "sh -c 'echo no such database; exit 3'", ready: tcp 1}
            """,
        )
        val run = commandLine.run("run", "$file", "--quick")
        run.exitCode shouldBe ExitCode.UNAVAILABLE.number
        run.err shouldContain "broken"
        run.err shouldContain "no such database"
        servicesLeft().shouldBeEmpty()
    }

    @Test
    fun `servers that answer anything end each command over all of them in time, and cost the good ones nothing`() {
        val servers = ANSWERS.mapValues { (_, answer) -> RawServer(0) { answer } }
        try {
            val stacks = servers.map { (name, server) -> "  - {name: $name, url: \"${server.url}\"}" }
            val file = experiment("stacks:\n" + stacks.joinToString("\n"))
            // Four can be compared with a target of the command line.
            val against = servers.entries.drop(1).take(4)
                .flatMap { (name, server) -> listOf("--against", server.url, "--against-name", name) }.toTypedArray()
            val first = servers.getValue("good").url
            fun asked(command: String, vararg options: String) =
                mustEnd(servers, command, first, "--name", "good", *against, *options)
            mustEnd(servers, "run", "$file", "--quick")
            asked("try", "--path", "/", "--rate", "50/s", "--for", "1s", "--quick", "--warm-up", "1s")
            asked("knee", "--path", "/", "--to", "30/s", "--probes", "6", "--probe", "500ms", "--warm-up", "1s")
        } finally {
            servers.values.forEach { it.close() }
        }
    }

    private fun mustEnd(servers: Map<String, RawServer>, vararg arguments: String) {
        val before = servers.mapValues { (_, server) -> server.asked }
        val run = CommandLine(folder.resolve(arguments.first()).createDirectory()).run(*arguments)
        withClue(run.out + run.err) { run.exitCode shouldBe ExitCode.CANNOT_TELL.number }
        run.err shouldNotContain "bug"
        val measured = run.record().trials.filter { it.state == TrialState.MEASURED }
        measured.map { it.stack } shouldContainExactlyInAnyOrder listOf("good", "long")
        for (trial in measured) {
            val counts = (trial.samples + trial.probes.map { it.sample }).map { it.counts }
            counts.sumOf { it.failed } shouldBe 0
            counts.sumOf { it.answered } shouldBe counts.sumOf { it.sent }
            val asked = servers.getValue(trial.stack).asked - before.getValue(trial.stack)
            val sent = counts.sumOf { it.sent }
            // The knee's warm-up asks as fast as it is answered, and takes less time than its probes.
            val between = if (arguments.first() == "knee") sent else BETWEEN
            withClue("${arguments.first()} of ${trial.stack}: $sent requests of its loads") {
                asked shouldBeInRange sent + RawServer.BEFORE_THE_LOAD..sent + RawServer.BEFORE_THE_LOAD + between
            }
        }
    }

    private fun experiment(stacks: String): Path = folder.resolve("own.yaml").also {
        it.writeText(
            "name: own\nquestion: Does it run?\nrequest: GET /\nload: {rate: 50/s, for: 1s}\n" +
                "warm-up: {budget: 1s, load: 200ms, pause: 0s}\n" + stacks.trimIndent() + "\n",
        )
    }

    /** A program in [place] that does [before] and becomes a tiny service, whose class path is too long for a file. */
    private fun script(place: Path, name: String, argument: String, before: String = ":") {
        val command = TinyService.command(argument).joinToString(" ") { "'$it'" }
        val file = place.resolve("$name.sh").also { it.writeText("#!/bin/sh\n$before\nexec $command\n") }
        file.toFile().setExecutable(true)
    }

    /** Programs of processes that run in this test's folder. */
    private fun servicesLeft(): List<String> = ProcessHandle.allProcesses().toList().filter { process ->
        runCatching { Path.of("/proc/${process.pid()}/cwd").toRealPath().startsWith(folder.toRealPath()) }
            .getOrDefault(false)
    }.map { it.info().command().orElse("${it.pid()}") }

    private companion object {
        /** Warm-up and lead-ins of every load: at most 50 a second, for a second or two of each. */
        const val BETWEEN = 250L

        val ANSWERS = mapOf(
            "good" to "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "long" to "HTTP/1.1 200 OK\r\nX-Policy: ${"a".repeat(90_000)}\r\nContent-Length: 5, 5\r\n\r\nhello",
            "malformed" to "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nhello",
            "endless" to "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1",
            "silent" to "",
            "short" to "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        )
    }
}

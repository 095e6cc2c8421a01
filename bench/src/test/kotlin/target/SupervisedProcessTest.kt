package threadgauge.target

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import kotlin.io.path.exists
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.runs

/** Real processes: whatever happens to the owner, no process may be left. */
@Tag("processes")
class SupervisedProcessTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `closing stops the process`() {
        val supervised = start("exec sleep 300")
        isAlive(supervised.pid).shouldBeTrue()
        supervised.close()
        isAlive(supervised.pid).shouldBeFalse()
    }

    @Test
    fun `closing stops the children of the process`() {
        val supervised = start("sleep 300 & echo child $!; wait")
        val child = awaitLine(supervised.log, "child ").removePrefix("child ").trim().toLong()
        supervised.close()
        awaitGone(child)
    }

    @Test
    fun `a process that ignores TERM is killed`() {
        val supervised = start("trap '' TERM; echo deaf; while :; do sleep 1; done")
        awaitLine(supervised.log, "deaf")
        val before = Instant.now()
        supervised.close()
        isAlive(supervised.pid).shouldBeFalse()
        Duration.between(before, Instant.now()).seconds shouldBeLessThan 8
    }

    @Test
    fun `a process that ends by itself has an exit code, and its output is in the log`() {
        val supervised = start("echo words; echo more >&2; exit 7")
        awaitTrue { supervised.exitCode != null }
        supervised.exitCode shouldBe 7
        supervised.log.readText() shouldBe "words\nmore\n"
        supervised.close()
    }

    @Test
    fun `it gets its own variables, but not those that the user has set`() {
        val user = mapOf(
            "PATH" to System.getenv("PATH"), "LC_ALL" to "C", "JAVA_TOOL_OPTIONS" to "-Xmx1g", "SERVER_PORT" to "1",
        )
        val variables = mapOf("PORT" to "2")
        val supervised =
            SupervisedProcess.start(
                listOf("env"), folder, folder.resolve("log"), variables, inherits = cleanEnvironment(user),
            )
        awaitTrue { supervised.exitCode != null }
        val seen = supervised.log.readText().lines()
        seen shouldContainAll listOf("PATH=${System.getenv("PATH")}", "LC_ALL=C", "PORT=2")
        seen.filter { "JAVA_TOOL_OPTIONS" in it || "SERVER_PORT" in it }.shouldBeEmpty()
        supervised.close()
    }

    @Test
    fun `kill -9 of the owner stops the process`() {
        // The owner is a JVM of its own that starts a supervised process, prints its id, and waits to be killed.
        val owner = ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), "threadgauge.target.LeashOwner", folder.toString(),
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        val pid = owner.inputReader().readLine().toLong()
        isAlive(pid).shouldBeTrue()
        owner.destroyForcibly().waitFor()
        awaitGone(pid)
    }

    @Test
    fun `kill -9 of the shell in between stops the process as soon as the owner closes the pipe`() {
        val supervised = start("exec sleep 300")
        ProcessHandle.of(supervised.pid).get().parent().get().destroyForcibly()
        awaitTrue { !supervised.isAlive }
        supervised.close()
        awaitGone(supervised.pid)
    }

    @Test
    fun `whatever ends the process, its last command is run`() {
        fun calls(name: String) = folder.resolve(name).run { if (exists()) readText().lines().size - 1 else 0 }
        fun started(script: String, name: String) = SupervisedProcess.start(
            listOf("/bin/sh", "-c", script), folder, folder.resolve("log"),
            afterwards = listOf("/bin/sh", "-c", "echo called >>\"$1\"", "last", "${folder.resolve(name)}"),
        )
        // Ended by a signal: what the command had begun may come into being later, so it is undone once more.
        started("exec sleep 300", "it's closed").close()
        calls("it's closed") shouldBe 2
        started("trap '' TERM; while :; do sleep 1; done", "deaf").close()
        calls("deaf") shouldBe 2
        started("exit 3", "ended").use { ended ->
            awaitTrue { ended.exitCode != null }
            ended.exitCode shouldBe 3
        }
        calls("ended") shouldBe 1
        started("exec sleep 300", "no shell").use { orphan ->
            ProcessHandle.of(orphan.pid).get().parent().get().destroyForcibly()
            awaitTrue { !orphan.isAlive }
        }
        awaitTrue { calls("no shell") == 2 }
    }

    @Test
    fun `a command that does not exist ends at once with its reason in the log`() {
        val supervised = SupervisedProcess.start(listOf("/no/such/program"), folder, folder.resolve("log"))
        awaitTrue { supervised.exitCode != null }
        supervised.exitCode shouldBe 127
        supervised.log.readText().contains("/no/such/program").shouldBeTrue()
        supervised.close()
    }

    private fun start(script: String) =
        SupervisedProcess.start(listOf("/bin/sh", "-c", script), folder, folder.resolve("log"))
}

/** Started as a process by the test above. */
object LeashOwner {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val folder = Path.of(arguments.single())
        println(SupervisedProcess.start(listOf("sleep", "300"), folder, folder.resolve("log")).pid)
        Thread.sleep(300_000)
    }
}

private fun isAlive(pid: Long) = ProcessHandle.of(pid).map(::runs).orElse(false)

private fun awaitGone(pid: Long) = awaitTrue { !isAlive(pid) }

private fun awaitLine(log: Path, start: String): String {
    awaitTrue { log.exists() && log.readText().lineSequence().any { it.startsWith(start) } }
    return log.readText().lineSequence().first { it.startsWith(start) }
}

/** Polls, because the end of a foreign process sends no event; ten seconds are for a busy machine. */
private fun awaitTrue(condition: () -> Boolean) {
    val end = System.nanoTime() + 10_000_000_000
    while (!condition()) {
        check(System.nanoTime() < end) { "it did not happen within ten seconds" }
        Thread.sleep(10)
    }
}

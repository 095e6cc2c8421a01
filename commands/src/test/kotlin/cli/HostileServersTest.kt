package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Whatever a server answers, a command ends clearly and in time, never crashes, and reports only what was counted. */
@Tag("processes")
class HostileServersTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `answers with lengths in a list, or heads of 90 kB, are correct`() {
        val long = "X-Policy: ${"a".repeat(90_000)}\r\n"
        serving { "HTTP/1.1 200 OK\r\n${long}Content-Length: 5, 5\r\n\r\nhello" }.use { server ->
            val run = commandLine.run("try", server.url, *SHORT)
            withClue(run.err) { run.exitCode shouldBe 0 }
            server.mustHaveCounted(run.record())
        }
    }

    @Test
    fun `one failed answer in ten is no success`() {
        serving { number ->
            if (number % 10 == 9L) "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" else GOOD
        }.use { server ->
            val run = commandLine.run("try", server.url, *SHORT)
            run.exitCode shouldBe 2
            server.mustHaveCounted(run.record())
        }
    }

    @Test
    fun `answers that take longer than the load are not served at 0 per second`() {
        serving(delayMillis = 2_500) { GOOD }.use { server ->
            val run = commandLine.run("try", server.url, *SHORT)
            run.exitCode shouldBe 2
            run.out.replace(Regex("\\s+"), " ") shouldContain "Use a load longer than"
            server.mustHaveCounted(run.record())
        }
    }

    @Test
    fun `an invalid answer ends the command in time, with its kind and a remedy`() {
        expectRefusal("invalid HTTP") { "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nhello" }
        expectRefusal("a body that did not end") { "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1" }
        expectRefusal("5 of 50 bytes") { "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello" }
    }

    /** A target keeps its figures beside one that cannot be measured. */
    @Test
    fun `a target with invalid answers does not affect the figures of another one`() {
        serving { GOOD }.use { good ->
            serving { "220 mail\r\n\r\n" }.use { bad ->
                val run = commandLine.run("try", good.url, "--against", bad.url, *SHORT)
                run.exitCode shouldBe 2
                val samples = run.record().trials.flatMap { trial -> trial.samples.map { trial.stack to it } }
                samples.single().second.counts.answered shouldBe samples.single().second.counts.sent
            }
        }
    }

    @Test
    fun `a search for a knee ends as clearly`() {
        serving { "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nhello" }.use { server ->
            val run = commandLine.run("knee", server.url, "--path", "/", "--warm-up", "1s", "--probe", "1s")
            withClue(run.out + run.err) {
                run.exitCode shouldBe 69
                run.out.replace(Regex("\\s+"), " ") shouldContain "invalid HTTP"
            }
        }
    }

    @Test
    fun `one signal ends a command that waits for an answer`() {
        serving { "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1" }.use { server ->
            val run = commandLine.start("try", server.url, *SHORT)
            run.awaitOutput("trial 1")
            val startNanos = System.nanoTime()
            run.signal("TERM")
            run.await(30)
            System.nanoTime() - startNanos shouldBeLessThan 9_000_000_000
        }
    }

    private fun expectRefusal(words: String, answer: (Long) -> String) = serving(answer = answer).use { server ->
        val startNanos = System.nanoTime()
        val run = commandLine.run("try", server.url, *SHORT)
        withClue(run.out) {
            run.exitCode shouldBe 2
            run.out.replace(Regex("\\s+"), " ") shouldContain words
            run.err shouldNotContain "bug"
        }
        // The timeout of ten seconds, and the start of the program and its agent on a busy machine.
        System.nanoTime() - startNanos shouldBeLessThan 60_000_000_000
    }

    private fun serving(delayMillis: Long = 0, answer: (Long) -> String) = RawServer(delayMillis, answer)

    private companion object {
        val SHORT = arrayOf("--path", "/", "--rate", "50/s", "--for", "1s", "--trials", "1", "--warm-up", "1s")
        const val GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    }
}

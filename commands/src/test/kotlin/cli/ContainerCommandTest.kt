package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.ImageOfTests.Companion.IMAGE
import threadgauge.cli.ImageOfTests.Companion.call
import threadgauge.model.TrialState

/** Stacks and services in containers of a real engine; skipped where none works. */
@Tag("processes")
class ContainerCommandTest {
    @TempDir
    lateinit var folder: Path

    @AfterEach
    fun `no container is left`() {
        eventually({ "the end of ${left()}" }, seconds = 60) { Unit.takeIf { left().isEmpty() } }
    }

    @Test
    fun `containers that serve the same port are measured side by side, by their own processes`() {
        val file = experiment(
            """
            stacks:
              - {name: one, container: "$IMAGE", port: 8080, env: {SAYS: one}}
              - {name: other, container: "$IMAGE", port: 8080, env: {SAYS: other}}
            """,
        )
        val run = CommandLine(folder).run("run", "$file", "--quick")
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        val record = run.record()
        record.inTurns shouldBe null
        record.trials.map { it.state } shouldBe listOf(TrialState.MEASURED, TrialState.MEASURED)
        record.trials.map { it.firstAnswer.shouldNotBeNull().bytes } shouldBe listOf(8, 10)
        for (trial in record.trials) {
            val sample = trial.samples.single()
            sample.counts.failed shouldBe 0
            sample.cost.cpuMillis.shouldNotBeNull() shouldBeGreaterThan 0.0
        }
    }

    @Test
    fun `a service in a container is reached by a container and by a process, each at its address`() {
        val file = experiment(
            """
            stacks:
              - {name: apart, container: "$IMAGE", port: 8080}
              - {name: shared, container: "$IMAGE"}
            services:
              - {name: backend, container: "$IMAGE", port: 8080, passes: {SAYS: "{host}:{port}"}}
            """,
        )
        val run = CommandLine(folder).run("run", "$file", "--quick")
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        // An address of a network of containers, and a port that is no published one.
        run.record().trials.forEach { it.firstAnswer.shouldNotBeNull().bytes shouldBe "says 172.17.0.2:8080".length }
    }

    @Test
    fun `a run that is killed leaves no container`() {
        val file = experiment("stacks:\n  - {name: one, container: \"$IMAGE\", port: 8080}", length = "60s")
        val run = CommandLine(folder).start("run", "$file", "--quick")
        eventually({ "a container" }) { Unit.takeIf { left().isNotEmpty() } }
        run.signal("KILL")
        run.await()
    }

    @Test
    fun `an image that is not there is told with what to do`() {
        val file = experiment("stacks:\n  - {name: one, container: \"no-such-image:7\", port: 8080}")
        val run = CommandLine(folder).run("run", "$file", "--quick")
        run.exitCode shouldBe ExitCode.CANNOT_TELL.number
        run.out + run.err shouldContain "no image no-such-image:7"
    }

    private fun experiment(stacks: String, length: String = "1s"): Path = folder.resolve("own.yaml").also {
        it.writeText(
            "name: own\nquestion: Does it run?\nrequest: GET /\nload: {rate: 50/s, for: $length}\n" +
                "warm-up: {budget: 1s, load: 200ms, pause: 0s}\n" + stacks.trimIndent() + "\n",
        )
    }

    private fun left() = call(ENGINE!!, "ps", "--all", "--quiet", "--filter", "label=threadgauge").trim()

    private companion object {
        val ENGINE = ImageOfTests.engine()

        @JvmStatic
        @BeforeAll
        fun `there is an image`(@TempDir folder: Path) {
            assumeTrue(ENGINE != null, "no engine for containers works here")
            ImageOfTests(ENGINE!!, folder).make()
        }

        @JvmStatic
        @AfterAll
        fun `the image is gone`(@TempDir folder: Path) {
            if (ENGINE != null) ImageOfTests(ENGINE, folder).remove()
        }
    }
}

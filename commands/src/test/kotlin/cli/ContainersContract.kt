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
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.ImageOfTests.Companion.IMAGE
import threadgauge.cli.ImageOfTests.Companion.call
import threadgauge.model.TrialState

/** Docker, with root or without. */
@Tag("processes")
class DockerCommandTest : ContainersContract(ImageOfTests("docker"))

/**
 * Podman, with root. It gives each container higher limits of files and processes than some machines allow, and then
 * none starts.
 */
@Tag("processes")
class PodmanCommandTest :
    ContainersContract(ImageOfTests("podman", listOf("--ulimit=nofile=4096", "--ulimit=nproc=1000")))

/** Stacks and services in containers of a real engine; skipped where it does not start the [image]. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainersContract internal constructor(private val image: ImageOfTests) {
    @TempDir
    lateinit var folder: Path

    @BeforeAll
    fun `there is an image`() {
        val why = image.make()
        if (why != null) System.err.println("NO CONTAINERS OF ${image.engine} HERE: $why")
        assumeTrue(why == null, why)
    }

    @AfterAll
    fun `the image is gone`() = image.remove()

    @AfterEach
    fun `no container is left`() {
        eventually({ "the end of ${left()}" }, seconds = 60) { Unit.takeIf { left().isEmpty() } }
    }

    @Test
    fun `containers that serve the same port are measured side by side, by their own processes`() {
        val file = experiment(
            """
            stacks:
              - {name: one, container: "$IMAGE", port: 8080, env: {SAYS: one}$options}
              - {name: other, container: "$IMAGE", port: 8080, env: {SAYS: other}$options}
            """,
        )
        val run = run(file)
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
    fun `a service in a container is reached by a container, with a network of its own and without`() {
        val file = experiment(
            """
            stacks:
              - {name: apart, container: "$IMAGE", port: 8080$options}
              - {name: shared, container: "$IMAGE"$options}
            services:
              - name: backend
                container: "$IMAGE"
                port: 8080
                env: {SAYS: nothing}
                options: ${image.options}
                passes: {ASKS: "{host}:{port}"}
            """,
        )
        val run = run(file)
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        run.record().trials.forEach { it.firstAnswer.shouldNotBeNull().bytes shouldBe "hears says nothing".length }
    }

    @Test
    fun `a run that is killed leaves no container`() {
        val file = experiment("stacks:\n  - {name: one, container: \"$IMAGE\", port: 8080$options}", length = "60s")
        val run = commandLine.start("run", "$file", "--quick")
        eventually({ "a container" }) { Unit.takeIf { left().isNotEmpty() } }
        run.signal("KILL")
        run.await()
    }

    @Test
    fun `an image that is not there is told with what to do`() {
        val file = experiment("stacks:\n  - {name: one, container: \"no-such-image:7\", port: 8080}")
        val run = run(file)
        run.exitCode shouldBe ExitCode.CANNOT_TELL.number
        run.out + run.err shouldContain "no image no-such-image:7"
    }

    private fun experiment(stacks: String, length: String = "1s"): Path = folder.resolve("own.yaml").also {
        it.writeText(
            "name: own\nquestion: Does it run?\nrequest: GET /\nload: {rate: 50/s, for: $length}\n" +
                "warm-up: {budget: 1s, load: 200ms, pause: 0s}\n" + stacks.trimIndent() + "\n",
        )
    }

    private val commandLine get() = CommandLine(folder, environment = mapOf("THREADGAUGE_ENGINE" to image.engine))

    private fun run(file: Path) = commandLine.run("run", "$file", "--quick")

    /** The rest of a stack that is a container. */
    private val options get() = ", options: ${image.options}"

    private fun left() = call(image.engine, "ps", "--all", "--quiet", "--filter", "label=threadgauge").trim()
}

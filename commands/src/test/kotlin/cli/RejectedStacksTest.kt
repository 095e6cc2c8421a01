package threadgauge.cli

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes.Name.CLASS_PATH
import java.util.jar.Attributes.Name.MAIN_CLASS
import java.util.jar.Attributes.Name.MANIFEST_VERSION
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.outputStream
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.TrialState
import threadgauge.target.HalfTruth
import threadgauge.wording.failure.reason

/**
 * A stack that does other work than the contract requires, or is of another model than it reports, is named and never
 * loaded.
 */
@Tag("processes")
class RejectedStacksTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a stack with a wrong body`() {
        val home = homeWithStack(folder, "target/made-up.jar", "[\"{port}\"]")
        jarOfTests(
            home.resolve("servers/made-up/target").createDirectories().resolve("made-up.jar"),
            HalfTruth::class.java.name,
        )
        mustBeRejected(
            home, path = "/delay/7", "GET /delay/0: expected body \"waited 0\" (8 bytes), got \"waited\" (6 bytes)",
        )
    }

    @Test
    fun `a stack that reports another model than its own`() {
        val home = homeWithStack(folder, "target/ktor.jar", "['-port={port}', '-P:stack.name=made-up']")
        link(home, "ktor")
        mustBeRejected(home, path = "/hello", "expected model to be \"EVENT_LOOP\", got \"COROUTINES\"")
    }

    @Test
    fun `a stack that does extra work`() {
        val arguments = "['-port={port}', '-P:stack.name=made-up', '-P:upstream=', '-P:feature.default-headers=true']"
        val home = homeWithStack(folder, "target/ktor-more.jar", arguments, model = "coroutines")
        link(home, "ktor-more")
        mustBeRejected(home, path = "/hello", "x-served-by")
    }

    private fun mustBeRejected(home: Path, path: String, sentence: String) {
        val cli = CommandLine(folder, home)
        val run = cli.run("run", cli.experiment(stack = "made-up", path = path).toString())
        run.exitCode shouldBe 2
        val trial = run.record().trials.single()
        trial.state shouldBe TrialState.FAILED
        trial.contractViolations.joinToString("\n") shouldContain sentence
        trial.reason().shouldNotBeNull() shouldContain "it breaks the HTTP contract"
        trial.warmUp.shouldBeNull()
        trial.samples.shouldBeEmpty()
        run.out shouldContain "made-up failed: it breaks the HTTP contract"
    }

    private fun link(home: Path, module: String) {
        Files.createSymbolicLink(
            home.resolve("servers/made-up/target"), CommandLine.projectRoot.resolve("servers/stacks/$module/target"),
        )
    }

    /** A jar with only a manifest: the name of [main], and its class path. */
    private fun jarOfTests(jar: Path, main: String) {
        val manifest = Manifest()
        val classes =
            System.getProperty("java.class.path").split(':').joinToString(" ") { Path.of(it).toUri().toString() }
        manifest.mainAttributes[MANIFEST_VERSION] = "1.0"
        manifest.mainAttributes[MAIN_CLASS] = main
        manifest.mainAttributes[CLASS_PATH] = classes
        JarOutputStream(jar.outputStream(), manifest).close()
    }
}

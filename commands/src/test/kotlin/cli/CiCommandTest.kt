package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import it.krzeminski.snakeyaml.engine.kmp.api.Load
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.recordOf
import threadgauge.model.RunState
import threadgauge.store.RecordFolder
import threadgauge.target.TinyService

/** The script of the action with the launcher and the program that it calls on a machine of GitHub's. */
@Tag("processes")
class CiCommandTest {
    @TempDir
    lateinit var folder: Path

    private val results get() = folder.resolve("threadgauge-results")
    private val baselines get() = folder.resolve("threadgauge-baselines")
    private val summary get() = folder.resolve("summary").readText()
    private val output get() = folder.resolve("output").readText()

    @Test
    fun `a service is measured and saved, and a later build compares with that run`() {
        val inputs = arrayOf(
            "target" to service(),
            "options" to "--path /orders\n--users 1\n--think 50ms\n--for 1s\n--warm-up 1s\n--quick",
            "baseline" to "main", "save-as" to "main",
        )
        val first = script(*inputs)
        withClue(log) { first.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && first.exitValue() == 0 } shouldBe true
        summary shouldContain "Compared with `main`: no run was saved as `main` yet."
        summary shouldContain "Saved as `main` for later builds."
        output shouldContain "verdict=passed\nexit-code=0\nrecord=$results/try-"
        results.resolve("junit.xml").readText() shouldContain "<testcase"
        val saved = RecordFolder(baselines.listDirectoryEntries().single()).read()
        saved.trials.single().samples.single().counts.failed shouldBe 0
        // The same figures again, so that the load need not be repeated: one trial of each cannot tell.
        val again = measuring(results.listDirectoryEntries("try-*").single())
        ends(2, "program" to again, *inputs, "fail-on-cannot-tell" to "true")
        summary shouldContain "Compared with `main`: cannot tell."
        summary shouldContain "An interval needs three trials on each side."
    }

    @Test
    fun `a slower build fails, an equal one passes, and runs of another experiment are no base`() {
        val base = listOf(1.0, 1.004, 0.997, 1.001, 0.999)
        record(baselines.resolve("e-0"), base)
        val equal = measuring(record(folder.resolve("equal"), base))
        val slower = measuring(record(folder.resolve("slower"), base.map { it * 0.9 }))
        // Before a saved run compare takes a folder of its name, such as that of a checkout.
        Files.createDirectory(folder.resolve("main"))
        ends(0, "program" to equal, "experiment" to "e", "baseline" to "main", "margin" to "2%")
        summary shouldContain "Compared with `main`: not worse."
        ends(1, "program" to slower, "experiment" to "e", "baseline" to "main")
        summary shouldContain "Worse than the base: throughput of a in s is 0.90"
        output shouldContain "verdict=failed\nexit-code=1\n"
        results.resolve("junit-compare.xml").readText() shouldContain "<failure"
        val other = measuring(record(folder.resolve("other"), base, experiment = "o"))
        ends(0, "program" to other, "experiment" to "o", "baseline" to "main")
        summary shouldContain "Compared with `main`: no run was saved as `main` yet."
        baselines.resolve("e-0/record.json").writeText("{")
        ends(65, "program" to equal, "experiment" to "e", "baseline" to "e-0")
        output shouldContain "verdict=error\nexit-code=65\n"
    }

    @Test
    fun `a job that is cancelled ends the run with its record, and leaves no process`() {
        val process = script("target" to service(), "options" to "--path /orders\n--for 60s", "save-as" to "main")
        val family = ArrayList<ProcessHandle>()
        awaitLog("started in", process)
        process.toHandle().descendants().forEach(family::add)
        ProcessBuilder("kill", "-INT", "${process.pid()}").start().waitFor()
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) shouldBe true
        withClue(log) { process.exitValue() shouldBe 130 }
        awaitAllGone(family)
        RecordFolder(results.listDirectoryEntries("try-*").single()).read().state shouldBe RunState.INTERRUPTED
        output shouldContain "verdict=interrupted\nexit-code=130\n"
        baselines.exists() shouldBe false
    }

    /** With one mistake of the test's own, which keeps it from being measured. */
    @Test
    fun `the program takes what the first job of the guide gives it`() {
        val inputs = firstJob().entries.associate { (name, value) -> "$name" to "$value" }
            .filterValues { "\${{" !in it }
        inputs.keys shouldContainAll listOf("target", "options", "goals", "baseline")
        ends(64, *(inputs + ("options" to inputs["options"] + "--trials 0\n")).toList().toTypedArray())
        log.lines().filter { it.startsWith("--") || it.startsWith("TARGET") } shouldContainExactly
            listOf("--trials: 0 trials are not possible")
        ends(64, *(inputs + ("options" to "--pathh /\n--trials 0\n")).toList().toTypedArray())
        log shouldContain "--pathh"
    }

    private fun firstJob(): Map<*, *> {
        val guide = CommandLine.projectRoot.resolve("docs/guides/in-ci.md").readText()
        val job = Load().loadOne(guide.substringAfter("```yaml\n").substringBefore("```")) as Map<*, *>
        val steps = ((job["jobs"] as Map<*, *>)["performance"] as Map<*, *>)["steps"] as List<*>
        val step = steps.map { it as Map<*, *> }.single { it["uses"] == "OWNER/threadgauge@main" }
        return step["with"] as Map<*, *>
    }

    private val log get() = folder.resolve("log").readText()

    private fun awaitLog(word: String, process: Process) {
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)
        while (word !in log) {
            check(process.isAlive && System.nanoTime() < end) { "no $word in:\n$log" }
            Thread.sleep(20)
        }
    }

    private fun service() = TinyService.command("0:/orders:two").joinToString(" ") { "'$it'" }

    private fun ends(code: Int, vararg inputs: Pair<String, String>) {
        val process = script(*inputs)
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) shouldBe true
        withClue(log) { process.exitValue() shouldBe code }
    }

    /** A program that gives out a record as measured, and compares as Threadgauge does. */
    private fun measuring(record: Path): String {
        val file = folder.resolve("program-${record.fileName}")
        file.writeText(
            """
            #!/usr/bin/env bash
            [ "${'$'}1" != compare ] || exec '$LAUNCHER' "${'$'}@"
            while [ "${'$'}1" != --out ]; do shift; done
            mkdir "${'$'}2/again-${'$'}${'$'}" && cp '$record/record.json' "${'$'}2/again-${'$'}${'$'}/"
            """.trimIndent() + "\n",
        )
        file.toFile().setExecutable(true)
        return "$file"
    }

    private fun record(place: Path, factors: List<Double>, experiment: String = "e"): Path {
        val record = recordOf(mapOf("a" to factors.map { it * 10_000 })).let {
            val plan = it.plan.copy(savedAs = "main", experiment = it.plan.experiment.copy(name = experiment))
            it.copy(id = "${place.fileName}", plan = plan)
        }
        RecordFolder(place).create().write(record)
        return place
    }

    private fun script(vararg inputs: Pair<String, String>): Process {
        for (old in listOf("summary", "output")) Files.deleteIfExists(folder.resolve(old))
        val script = CommandLine.projectRoot.resolve("ci/threadgauge-ci").toString()
        val builder = ProcessBuilder("env", "--default-signal=INT,HUP", script).directory(folder.toFile())
        builder.environment().run {
            for ((name, value) in inputs) put("THREADGAUGE_CI_" + name.uppercase().replace('-', '_'), value)
            put("THREADGAUGE_CI_DOCTOR", "skip")
            put("GITHUB_STEP_SUMMARY", "${folder.resolve("summary")}")
            put("GITHUB_OUTPUT", "${folder.resolve("output")}")
            // The launcher must not build into the build that runs this test.
            put("THREADGAUGE_IN_TESTS", "yes")
            put("JAVA_HOME", System.getProperty("java.home"))
            put("JDK_JAVA_OPTIONS", "-Dthreadgauge.briefly=true")
        }
        return builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start()
    }

    private companion object {
        val LAUNCHER: Path = CommandLine.projectRoot.resolve("threadgauge")
    }
}

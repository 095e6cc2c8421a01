package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** The script of the action, with a program that only says that it was called. */
@Tag("processes")
class CiScriptTest {
    private val job = CiJob()

    @AfterEach
    fun removeFolders() = job.close()

    @Test
    fun `each exit code becomes the result of the build, the most serious one of all`() {
        ends("0", "0", "0", becomes = 0, "passed", "0")
        ends("0", "0", "1", becomes = 1, "failed", "1")
        ends("0", "1", "0", becomes = 1, "failed", "1")
        ends("0", "1", "2", becomes = 1, "failed", "1")
        ends("0", "2", "1", becomes = 1, "failed", "1")
        ends("0", "0", "2", becomes = 0, "cannot-tell", "2")
        ends("0", "2", "0", becomes = 0, "cannot-tell", "2")
        ends("0", "0", "2", becomes = 2, "cannot-tell", "2", "fail-on-cannot-tell" to "true")
        ends("0", "0", "65", becomes = 65, "error", "65")
        ends("0", "1", "74", becomes = 74, "error", "74")
        ends("0", "0", "130", becomes = 130, "interrupted", "130")
    }

    @Test
    fun `what ends with an error is not compared, and its code is the result`() {
        for (code in listOf(64, 65, 69, 74)) {
            ends("0", "$code", "0", becomes = code, "error", "$code")
            withClue(code) { job.calls("compare").shouldBeEmpty() }
        }
        ends("0", "130", "0", becomes = 130, "interrupted", "130")
        job.calls("compare").shouldBeEmpty()
    }

    @Test
    fun `a machine that is not fit is a warning, unless asked to fail, and a doctor that fails ends the job`() {
        ends("2", "0", "0", becomes = 0, "passed", "0")
        job.summary shouldContain "The machine is not fit to measure."
        ends("2", "0", "0", becomes = 0, "cannot-tell", "2", "doctor" to "fail")
        job.calls("try").shouldBeEmpty()
        ends("2", "0", "0", becomes = 2, "cannot-tell", "2", "doctor" to "fail", "fail-on-cannot-tell" to "true")
        ends("69", "0", "0", becomes = 69, "error", "69")
        job.calls("try").shouldBeEmpty()
        ends("69", "0", "0", becomes = 0, "passed", "0", "doctor" to "skip")
        job.calls("doctor").shouldBeEmpty()
    }

    @Test
    fun `without a record nothing passes`() {
        job.ends(run = "none")
        job.run("target" to "t").exitCode shouldBe 70
    }

    @Test
    fun `inputs reach the program as they are, and no shell reads them`() {
        job.ends()
        val target = "java -jar \"a b.jar\" '\$(touch pwned)' `touch pwned`; touch pwned & *"
        val options = "\n--users 50\n  # a remark\n--against  \"java -jar b.jar\"  \n--quick\n" +
            "--path /a?b=\$HOME&c=*\n--name \"a\" or \"b\"\n"
        val ran = job.run(
            "target" to target, "options" to options, "goals" to "p99<300ms, errors<0.1%", "baseline" to "main",
            "margin" to "5%", "gate" to "cpu,memory", "markdown" to "out/a.md", "junit" to "out/j.xml",
        )
        ran.exitCode shouldBe 0
        job.calls("try").single().filterNot { it.endsWith("/run-1.md") } shouldContainExactly listOf(
            "try", target, "--users", "50", "--against", "java -jar b.jar", "--quick", "--path", "/a?b=\$HOME&c=*",
            "--name", "\"a\" or \"b\"", "--out", "${job.file("threadgauge-results")}", "--markdown",
            "--junit", "${job.file("out/j.xml")}", "--goals", "p99<300ms, errors<0.1%",
        )
        job.file("out/a.md").readText() shouldBe job.summary
        job.workspace.listDirectoryEntries().map { it.name }.sorted() shouldContainExactly
            listOf("out", "threadgauge-results")
        job.run("experiment" to "my file.yaml", "doctor" to "skip")
        job.calls.last().take(2) shouldContainExactly listOf("run", "my file.yaml")
    }

    @Test
    fun `names of branches become names of saved runs, and nothing else happens by them`() {
        for ((given, name) in mapOf(
            "main" to "main", "feature/a b" to "feature-a-b",
            "x\"';\$(touch pwned)`touch pwned`" to "x-----touch-pwned--touch-pwned-",
            "../../etc/-rf" to "etc--rf", "--in=x" to "in-x", "a\n::error::b" to "a---error--b",
            "한글/1" to "1", "b".repeat(90) to "b".repeat(60),
        )) {
            withClue(given) {
                job.ends()
                saved()
                job.run("target" to "t", "baseline" to given, "save-as" to given).exitCode shouldBe 0
                job.calls("compare").single()[1] shouldBe name
                job.calls("try").single().let { it[it.indexOf("--save-as") + 1] } shouldBe name
                job.summary shouldContain "Compared with `$name`: not worse."
                job.workspace.listDirectoryEntries().map { it.name }.sorted() shouldContainExactly
                    listOf("compared-in", "threadgauge-baselines", "threadgauge-results")
            }
        }
    }

    @Test
    fun `all mistakes are reported together, and nothing is started`() {
        job.ends()
        val ran = job.run(
            "target" to "t", "experiment" to "-e", "runs" to "x", "doctor" to "maybe", "fail-on-cannot-tell" to "yes",
            "save-as" to "///", "results" to "a,b", "options" to "--out x\nusers 5\n--json\n--junit=y",
            "baseline" to "main", "base-target" to "b",
        )
        ran.exitCode shouldBe 64
        val words = ran.output.joinToString("\n")
        for (part in listOf(
            "an experiment or a target, and not both", "experiment: -e begins", "runs: x", "doctor: maybe",
            "fail-on-cannot-tell: yes", "save-as: it holds no letter", "results: the path",
            "options: --out is an input", "users 5", "--json cannot", "--junit is an input",
            "a baseline or a base-target",
        )) {
            words shouldContain part
        }
        job.calls.shouldBeEmpty()
        job.outputs["verdict"] shouldBe "error"
        job.outputs["comment-file"] shouldBe ""
        job.summary shouldContain "The log says which."
        job.run().exitCode shouldBe 64
    }

    @Test
    fun `summary, comment and outputs hold the result, and a later build finds the comment`() {
        job.ends(compare = "1")
        saved()
        job.run("target" to "java `x`\n\n@all | <b>", "baseline" to "main").exitCode shouldBe 1
        val first = job.comment.lines().first()
        first shouldContain Regex("^<!-- threadgauge \\d+ -->$")
        job.summary shouldStartWith "## ❌ Threadgauge: failed\n\n- Measured: `java 'x'  @all | <b>`.\n" +
            "- Compared with `main`: **worse**.\n\n### compare\n\n### run\n"
        job.comment.substringAfter("\n") shouldBe job.summary
        job.outputLines shouldContainExactly listOf(
            "verdict=failed", "exit-code=1", "record=${job.file("threadgauge-results/e-0")}",
            "comment-file=${job.file("threadgauge-results/comment.md")}",
        )
        job.run("target" to "java `x`\n\n@all | <b>")
        job.comment.lines().first() shouldBe first
        job.run("target" to "another")
        job.comment.lines().first() shouldNotBe first
        job.github["GITHUB_JOB"] = "other"
        job.run("target" to "java `x`\n\n@all | <b>")
        job.comment.lines().first() shouldNotBe first
    }

    @Test
    fun `a comment that would be too long for GitHub leads to the job, which has all`() {
        job.ends(text = "é".repeat(40_000) + "\n")
        job.run("target" to "t").exitCode shouldBe 0
        job.comment.toByteArray().size shouldBeLessThan 65_536
        job.comment shouldContain "[The job](https://git.test/o/r/actions/runs/7) has it."
        job.summary shouldContain "é".repeat(40_000)
        job.ends(text = "é".repeat(600_000) + "\n")
        job.run("target" to "t")
        job.summary.toByteArray().size shouldBeLessThan 1_048_576
    }

    @Test
    fun `both sides are measured in turn, and goals are those of the new one`() {
        job.ends(run = "2 0 0 1 0", compare = "0")
        job.run("target" to "new", "base-target" to "base", "goals" to "p99<1s").exitCode shouldBe 1
        job.calls("try").map { it[1] } shouldContainExactly listOf("base", "new", "base", "new", "base", "new")
        job.calls("try").map { "--goals" in it } shouldContainExactly listOf(false, true, false, true, false, true)
        fun runs(vararg numbers: Int) = numbers.joinToString(",") { "${job.file("threadgauge-results/e-$it")}" }
        job.calls("compare").single().subList(1, 3) shouldContainExactly listOf(runs(0, 2, 4), runs(1, 3, 5))
        job.outputs["record"] shouldBe runs(1, 3, 5)
        job.file("threadgauge-results").listDirectoryEntries("*.xml").map { it.name }.sorted() shouldContainExactly
            listOf("junit-2.xml", "junit-3.xml", "junit-compare.xml", "junit.xml")
        job.ends(run = "69")
        job.run("target" to "new", "base-target" to "base").exitCode shouldBe 69
        job.calls("try") shouldHaveSize 1
        job.ends()
        job.run("target" to "new", "base-target" to "base", "runs" to "1").exitCode shouldBe 0
        job.calls("try") shouldHaveSize 2
    }

    @Test
    fun `without a saved run nothing is compared, and a folder of its name is none`() {
        job.ends(compare = "65", errors = "main is no folder, and no complete run was saved under this name")
        job.run("target" to "t", "baseline" to "main").exitCode shouldBe 0
        job.calls("compare").shouldBeEmpty()
        job.summary shouldContain "Compared with `main`: no run was saved as `main` yet."
        saved()
        job.file("main").createDirectories()
        job.run("target" to "t", "baseline" to "main").exitCode shouldBe 0
        job.calls("compare") shouldHaveSize 1
        job.file("compared-in").readText().trim() shouldBe "${job.file("threadgauge-baselines")}"
    }

    @Test
    fun `a run is saved with its figures, slower or not, and not where some are missing`() {
        fun kept() = job.file("threadgauge-baselines").takeIf { it.exists() }?.listDirectoryEntries().orEmpty()
        for (run in listOf("0", "1")) {
            job.ends(run = run)
            job.run("target" to "t", "save-as" to "main")
            kept().single().listDirectoryEntries().map { it.name }.sorted() shouldContainExactly
                listOf("record.json", "summary.json")
            job.summary shouldContain "Saved as `main` for later builds."
        }
        for (run in listOf("2", "69", "130")) {
            job.ends(run = run)
            job.run("target" to "t", "save-as" to "main")
            kept().shouldBeEmpty()
        }
        job.ends()
        job.file("file").writeText("")
        job.run("target" to "t", "save-as" to "main", "baselines" to "file/x").exitCode shouldBe 74
        job.run("target" to "t", "results" to "file/x").exitCode shouldBe 74
        job.run("target" to "t", "markdown" to "file/x.md").exitCode shouldBe 74
        job.calls("try") shouldHaveSize 1
    }

    @Test
    fun `a cancelled job stops the program as Ctrl-C would, and ends as interrupted`() {
        for (signal in listOf("INT", "TERM")) {
            job.ends(run = "waits")
            val process = job.start("target" to "t", "save-as" to "main")
            val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20)
            while (!job.file("waiting").exists()) {
                check(System.nanoTime() < end) { "the program was not started" }
                Thread.sleep(5)
            }
            ProcessBuilder("kill", "-$signal", "${process.pid()}").start().waitFor()
            job.finish(process).exitCode shouldBe 130
            job.file("stopped").exists() shouldBe true
            job.outputs["verdict"] shouldBe "interrupted"
            job.summary shouldContain "Interrupted."
            job.file("threadgauge-baselines").exists() shouldBe false
        }
    }

    @Test
    fun `lines of a service are no commands for the runner, and neither are those of names`() {
        job.ends()
        val lines = job.run("target" to "t", "doctor" to "skip", "save-as" to "a%\n::error::b").output
        val token = lines.single { it.startsWith("::stop-commands::") }.substringAfterLast(':')
        token shouldContain Regex("^[0-9a-f]{32}$")
        val service = lines.indexOf("::error::from a service")
        (lines.indexOf("::stop-commands::$token") < service && service < lines.indexOf("::$token::")) shouldBe true
        lines.filter { it.startsWith("::error") } shouldHaveSize 1
        job.run("target" to "t", "doctor" to "50%\n::error::b").output shouldContain
            "::error title=Threadgauge::doctor: 50%25%0A::error::b is not warn, fail or skip"
    }

    @Test
    fun `outside of GitHub it needs no variables of GitHub`() {
        job.github.clear()
        job.ends(run = "1")
        val ran = job.run("target" to "t")
        ran.exitCode shouldBe 1
        ran.errors shouldContain "threadgauge-ci: error: result: failed (exit code 1)"
        ran.output.joinToString() shouldNotContain "stop-commands"
        job.file("threadgauge-results/summary.md").readText() shouldContain "## ❌ Threadgauge: failed"
    }

    private fun ends(
        doctor: String,
        run: String,
        compare: String,
        becomes: Int,
        verdict: String,
        code: String,
        vararg inputs: Pair<String, String>,
    ) {
        job.ends(doctor, run, compare)
        saved()
        withClue("doctor $doctor, run $run, compare $compare, ${inputs.toList()}") {
            job.run("target" to "t", "baseline" to "main", *inputs).exitCode shouldBe becomes
            job.outputs["verdict"] shouldBe verdict
            job.outputs["exit-code"] shouldBe code
        }
    }

    private fun saved() =
        job.file("threadgauge-baselines/old").createDirectories().resolve("record.json").writeText("{}")
}

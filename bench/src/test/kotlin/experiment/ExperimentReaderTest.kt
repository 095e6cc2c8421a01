package threadgauge.experiment

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistake
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.DatabaseAddress
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.WarmUpRule
import threadgauge.model.request.Request

class ExperimentReaderTest {
    @Test
    fun `a complete file becomes an experiment`() {
        read(VALID) shouldBe Experiment(
            name = "tour",
            question = "Which one fits?",
            stacks = listOf("spring-mvc", "ktor-netty"),
            situations = listOf(
                Situation(
                    "answers-at-once", "are answered at once", Request("GET", "/hello"), Load.Users(50, 5_000_000_000),
                ),
            ),
            trials = 3,
            margin = 0.03,
            warmUp = WarmUpRule(30_000_000_000, 1_000_000_000, 1_000_000_000, compilerOnAllCores = true),
        )
    }

    @Test
    fun `what a file leaves out takes the usual value`() {
        val short = read("name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /\nload: {burst: 7}")
        short.trials shouldBe 5
        short.margin shouldBe 0.03
        short.warmUp shouldBe WarmUpRule()
    }

    @Test
    fun `only some situations may warm up, and each must be there`() {
        val file =
            "name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /\nload: {burst: 7}\nwarm-up: {situations: [%s]}"
        val name = read(file.substringBefore("\nwarm-up")).situations.single().name
        read(file.format(name)).warmUp shouldBe WarmUpRule(situations = listOf(name))
        problems(file.format("nobody")) shouldContainExactly listOf("6:24 there is no situation \"nobody\"")
    }

    @Test
    fun `a cold target is asked for by no warm-up`() {
        val file = "name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /\nload: {burst: 7}\nwarm-up: %s"
        read(file.format("none")).warmUp.isNone shouldBe true
        read(file.format("{budget: 30s}")).warmUp.isNone shouldBe false
        problems(file.format("nothing")).single() shouldContain "6:10"
    }

    @Test
    fun `a database is one that comes along, or one at an address whose password is in no file`() {
        val file = "name: a\nquestion: b?\nstacks: ktor-netty\nrequest: GET /\nload: {burst: 7}\ndatabase: %s"
        read(file.format("postgresql")).run { database to databaseAddress } shouldBe ("postgresql" to null)
        val address = DatabaseAddress("jdbc:postgresql://db:5432/shop?ssl=true", "me")
        val here = "{address: \"${address.jdbc}\", user: me}"
        read(file.format(here)).run { database to databaseAddress } shouldBe ("postgresql" to address)
        problems(file.format("oracle")).single() shouldContain "6:11 database cannot be \"oracle\""
        problems(file.format("{address: \"jdbc:mysql://db/shop\", user: me}")) shouldContainExactly
            listOf("6:21 \"jdbc:mysql://db/shop\" is no address of a PostgreSQL")
        problems(file.format("{address: \"jdbc:postgresql://db/shop\"}")) shouldContainExactly listOf(
            "6:11 database has no \"user\"",
        )
        problems(file.format(here.replace("ssl=true", "password=open"))) shouldContainExactly listOf(
            "6:21 the address holds a password",
        )
    }

    @Test
    fun `every kind of load is read`() {
        loads(
            "{users: 200, for: 60s}", "{users: 5000, loops: 10}", "{rate: 2000/s, for: 1.5m}", "{rate: 30/m, for: 1h}",
            "{ramp: 5/s..500/s, for: 60s}", "{burst: 1000}", "{burst: 1000, connected: no}",
        ) shouldContainExactly listOf(
            Load.Users(200, 60_000_000_000), Load.Loops(5000, 10), Load.Rate(2000.0, 90_000_000_000),
            Load.Rate(0.5, 3_600_000_000_000), Load.Ramp(5.0, 500.0, 60_000_000_000), Load.Burst(1000, true),
            Load.Burst(1000, false),
        )
    }

    @Test
    fun `the short form makes a situation of each request under each load`() {
        val file = """
            name: short
            question: Which?
            stacks: [ktor-netty]
            request: [GET /delay/100?x=1, POST /customers]
            load:
              - {users: 200, for: 60s}
              - {users: 200, for: 5s}
              - {ramp: 5/s..500/s, for: 60s}
        """.trimIndent()
        read(file).situations.map { "${it.name}: ${it.words}" } shouldContainExactly listOf(
            "delay-100-x-1-200-users: call GET /delay/100?x=1 (200 users for 60 s)",
            "delay-100-x-1-200-users-2: call GET /delay/100?x=1 (200 users for 5 s)",
            "delay-100-x-1-ramp-5-to-500: call GET /delay/100?x=1 (5/s to 500/s in 60 s)",
            "post-customers-200-users: call POST /customers (200 users for 60 s)",
            "post-customers-200-users-2: call POST /customers (200 users for 5 s)",
            "post-customers-ramp-5-to-500: call POST /customers (5/s to 500/s in 60 s)",
        )
    }

    @Test
    fun `a byte order mark and Windows line ends are no mistakes`() {
        read("\uFEFF" + VALID.replace("\n", "\r\n")) shouldBe read(VALID)
    }

    @Test
    fun `every experiment that is shipped can be read`() {
        val root = projectRoot()
        val known = StackCatalogue.read(root)
        val files = Files.walk(root.resolve("experiments"))
            .use { all -> all.filter { it.toString().endsWith(".yaml") }.toList() }
        files.map { readExperiment(it, known).name }.isEmpty() shouldBe false
        readExperiment(root.resolve("experiments/tour.yaml"), known).situations.map { it.words } shouldContainExactly
            listOf("are answered at once", "only wait (100 ms)", "block their thread for 2 ms")
    }

    private fun loads(vararg loads: String): List<Load> {
        val head = "name: a\nquestion: b?\nstacks: [ktor-netty]\nrequest: GET /hello\nload:\n"
        return read(head + loads.joinToString("\n") { "  - $it" }).situations.map { it.load }
    }

    @Test
    fun `old names of keys are accepted with a hint, and not beside the new ones`(@TempDir folder: Path) {
        val file = folder.resolve("old.yaml")
        file.writeText(VALID.replace("trials: 3", "repeats: 3"))
        val hints = ArrayList<ExperimentMistake>()
        readExperiment(file, KNOWN, hints::add).trials shouldBe 3
        hints.map { "${it.line}:${it.column} ${it.problem}" } shouldContainExactly
            listOf("9:1 \"repeats\" is now called \"trials\"")
        file.writeText(VALID.replace("trials: 3", "trials: 3\nrepeats: 3"))
        shouldThrow<ExperimentMistakes> { readExperiment(file, KNOWN) }.mistakes.single().problem shouldBe
            "\"repeats\" is the old name of \"trials\", which is given too"
    }
}

package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import org.junit.jupiter.api.Test

class TidinessTest {
    private val files = projectFiles()
    private val rules = textRules + kotlinRules

    @Test
    fun `the tree is tidy`() {
        files.size shouldBeGreaterThan 20
        rules.flatMap { rule -> files.flatMap(rule::offences) }.joinToString("\n") shouldBe ""
    }

    @Test
    fun `no folder of main code holds more than 20 files`() {
        crowdedFolders(files).joinToString("\n") shouldBe ""
        val full = List(21) { ProjectFile("bench/src/main/kotlin/stats/A$it.kt", "") }
        crowdedFolders(full) shouldContainExactly listOf("bench/src/main/kotlin/stats: 21 files, more than 20")
        crowdedFolders(full.drop(1)).shouldBeEmpty()
        crowdedFolders(List(21) { ProjectFile("bench/src/test/kotlin/stats/A$it.kt", "") }).shouldBeEmpty()
    }

    @Test
    fun `links between the project's documents lead somewhere`() {
        val documents = files.filter { it.extension == "md" }
        documents.flatMap { file -> deadLinks(file) { Files.exists(projectRoot.resolve(it)) } }
            .joinToString("\n") shouldBe ""
    }

    /** A build folder's pattern once hid a whole package that was named like it. */
    @Test
    fun `git ignores no source`() {
        if (!Files.exists(projectRoot.resolve(".git"))) return
        val command = listOf("git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", "*.kt")
        val git = ProcessBuilder(command).directory(projectRoot.toFile()).redirectErrorStream(true).start()
        git.inputStream.bufferedReader().readLines().filter { "/src/" in "/$it" }.joinToString("\n") shouldBe ""
        git.waitFor() shouldBe 0
    }

    @Test
    fun `what starts the project can be started`() {
        for (script in listOf("threadgauge", ".ci/run", "ci/threadgauge-ci", "ci/post-comment")) {
            Files.isExecutable(projectRoot.resolve(script)) shouldBe true
        }
    }

    @Test
    fun `each rule finds a bad example, and nothing in a good one`() {
        val main = "bench/src/main/kotlin/stats/Mean.kt"
        val test = "bench/src/test/kotlin/stats/Mean.kt"
        val model = "bench/src/main/kotlin/model/A.kt"
        val good = "package threadgauge.stats\n\n/** Mean. */\nclass Mean\n"
        val examples = mapOf(
            "a line ends with a line break" to ("README.md" to "Mean"),
            "no blanks at the end of a line" to ("README.md" to "Mean  \n"),
            "lines of code have at most 140 characters" to ("bench/stacks.yaml" to "# ${"x".repeat(139)}\n"),
            "nothing is left to do later" to ("README.md" to "TO" + "DO: write\n"),
            "no folder of one machine" to ("docs/a.md" to "See /ro" + "ot/results or so.\n"),
            "no host of a registry" to ("pom.xml" to "<url>https://repo1" + ".maven.org</url>\n"),
            "a file is one idea" to (main to "package threadgauge.stats\n" + "// x\n".repeat(300)),
            "comments have at most 120 characters a line" to
                (main to "package threadgauge.stats\n// ${"x".repeat(118)}\n"),
            "a class is named after what it is" to (main to "package threadgauge.stats\nclass Mean" + "Helper\n"),
            "only commands print" to (main to "package threadgauge.stats\nfun a() = println(1)\n"),
            "the package is the path" to (main to "package threadgauge.judge\n"),
            "tests are named Test or Contract" to
                (test to "package threadgauge.stats\nclass Means {\n    @Test\n    fun a() = 1\n}\n"),
            "who decides writes no sentences" to
                (main to "package threadgauge.stats\nval a = \"the runs are few\"\n"),
            "the bench names no module folder of a server" to
                (main to "package threadgauge.stats\nval a = root.resolve(\"servers/stacks/ktor\")\n"),
            "every public part of the model is explained" to
                (model to "package threadgauge.model\n\n@Serializable\ndata class A(val a: Int)\n"),
        )
        examples.keys.toList() shouldContainExactly rules.map { it.name }
        for (rule in rules) withClue(rule.name) {
            val (path, bad) = examples.getValue(rule.name)
            rule.offences(ProjectFile(path, bad)) shouldHaveSize 1
            rule.offences(ProjectFile(main, good)).shouldBeEmpty()
        }
    }

    @Test
    fun `a module folder may stand in a comment of the bench, and in code of other modules`() {
        val rule = kotlinRules.single { it.name == "the bench names no module folder of a server" }
        val comment = "/**\n * As `servers/stacks/ktor`.\n */\n// In tickets/service.\nclass A\n"
        rule.offences(ProjectFile("bench/src/main/kotlin/A.kt", comment)).shouldBeEmpty()
        rule.offences(ProjectFile("tickets/faults/src/main/kotlin/A.kt", "val a = \"tickets/service\"\n"))
            .shouldBeEmpty()
        rule.offences(ProjectFile("bench/src/main/kotlin/A.kt", "val a = \"\$root/tickets/\$name\"\n")) shouldHaveSize 1
    }

    @Test
    fun `a sentence for developers may stand below the check that says it`() {
        val rule = kotlinRules.single { it.name == "who decides writes no sentences" }
        fun found(text: String) = rule.offences(ProjectFile("bench/src/main/kotlin/stats/A.kt", text))
        found("require(a == b) {\n    \"both have as many values\"\n}\n").shouldBeEmpty()
        found("require(a == b)\nval c = \"both have as many values\"\n") shouldHaveSize 1
    }

    @Test
    fun `a dead link is found, and a live one is not`() {
        val text = "[a](../README.md) [b](gone.md#x) [c](https://example.org/x) [d](#here) ![e](/img/e.svg)\n" +
            "```\n[f](none)\n```\n"
        deadLinks(ProjectFile("docs/a.md", text)) { it == "README.md" } shouldContainExactly
            listOf("docs/a.md: dead link to gone.md#x", "docs/a.md: dead link to /img/e.svg")
    }
}

package threadgauge.checks

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlin.io.path.readText
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.model.ConcurrencyModel

/** Makes the stack that the guide adds, from the guide's own text, so that a guide that is wrong fails. */
@Tag("processes")
class GuideTest {
    private val shown = filesShownIn(projectRoot.resolve("docs/guides/adding-a-stack.md").readText())
    private val project = NewProject(listOf(GOOD, BROKEN))

    @AfterEach
    fun removeFolders() = project.close()

    /** Both in one build: what they are made of takes far longer to compile than they do. */
    @Test
    fun `a stack of the guide's files keeps the contract, and one that does something else fails by the broken rule`() {
        shown.forEach(project::file)
        val broken = shown.mapValues { (_, text) -> text.replace("text(HELLO)", "text(\"hullo\")") }
        broken shouldNotBe shown
        broken.forEach { (path, text) -> project.file(path.replace(NAME, OTHER), text.replace(NAME, OTHER)) }
        val built = project.verify()
        withClue(built.output.joinToString("\n")) {
            built.exitCode shouldNotBe 0
            report(GOOD) shouldContain "Failures: 0, Errors: 0, Skipped: 0"
            report(BROKEN) shouldNotContain "Failures: 0,"
            report(BROKEN) shouldContain "/hello says hello as plain text in UTF-8"
        }
    }

    /** What the tests of a module came to. */
    private fun report(module: String) =
        project.root.resolve("$module/target/surefire-reports/threadgauge.server.mine.MyServerContract.txt").readText()

    @Test
    fun `the bench reads the guide's descriptions as the guide says`() {
        shown.forEach(project::file)
        val catalogue = StackCatalogue.read(project.root)
        val stack = catalogue["my-server"]!!
        stack.model shouldBe ConcurrencyModel.VIRTUAL_THREADS
        stack.module shouldBe "servers/stacks/my-server"
        stack.command.takeLast(2) shouldContainExactly listOf("--port={port}", "--stack.name=my-server")
        stack.more!!.module shouldBe "servers/stacks/my-server-more"
        stack.more!!.command.takeLast(4) shouldContainExactly
            listOf("--upstream={upstream}", "--jdbc={jdbc}", "--user={user}", "--password={password}")
        catalogue["my-server+tuned"]!!.run {
            setting shouldBe "tuned"
            command shouldContain "-Dsun.net.httpserver.nodelay=true"
        }
        catalogue.services.single().module shouldBe "servers/services/my-backend"
    }

    @Test
    fun `files are told from other code, and what is added goes to the end`() {
        val text =
            "`a/b`:\n\n```yaml\none:\n```\n\nText with `c`:\n```\nno\n```\n`a/b`, added at the end:\n```\ntwo:\n```\n"
        filesShownIn(text) shouldBe mapOf("a/b" to "one:\ntwo:\n")
        shouldThrow<IllegalArgumentException> { filesShownIn("`a`:\n```\n1\n```\n`a`:\n```\n2\n```\n") }
        shouldThrow<IllegalArgumentException> { filesShownIn("`a`:\nno code\n") }
    }

    private companion object {
        const val NAME = "my-server"
        const val OTHER = "my-broken-server"
        const val GOOD = "servers/stacks/$NAME"
        const val BROKEN = "servers/stacks/$OTHER"
    }
}

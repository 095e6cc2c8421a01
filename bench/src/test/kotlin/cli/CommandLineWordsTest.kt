package threadgauge.cli

import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.subcommands
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.command.AgentCommand
import threadgauge.cli.command.RunCommand
import threadgauge.experiment.projectRoot

/** What a command line that is wrong is answered with, and what the help says of how commands end. */
class CommandLineWordsTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a command that does not exist is answered with the nearest, also with words behind it`() {
        for (words in listOf("tr", "tr shop.jar", "tr shop.jar --path /x")) {
            withClue(words) { answer(words) shouldContain "no such subcommand tr. Did you mean try?" }
        }
        answer("doc") shouldContain "no such subcommand doc. Did you mean doctor?"
        answer("frobnicate x") shouldContain "no such subcommand frobnicate"
    }

    @Test
    fun `an option and a value are answered with the nearest, and with the usage of their command`() {
        answer("run --trails 3").run {
            this shouldContain "no such option --trails. Did you mean --trials?"
            this shouldContain "Usage: threadgauge run"
        }
        answer("try --trails 3 x") shouldContain "no such option --trails. Did you mean --trials?"
        answer("compare --gat cpu") shouldContain "Usage: threadgauge compare"
        answer("tickets --strategy bach") shouldContain "there is no \"bach\" here. Did you mean \"batch\"?"
        answer("list stack") shouldContain "Did you mean \"stacks\"?"
    }

    @Test
    fun `the help of each command lists its exit codes`() {
        for (command in threadgaugeCommand().registeredSubcommandNames()) withClue(command) {
            val help = answer("$command --help")
            help shouldContain "Exit codes:\n    0  "
            help shouldContain "\n   64  "
            help shouldContain "\n   70  a bug in Threadgauge"
        }
    }

    @Test
    fun `an order for another host is refused before anything is started`() {
        val order = folder.resolve("order.json")
        val out = folder.resolve("out")
        fun agent(target: String, vararg more: String): CliktError {
            // An editor may put a byte-order mark before what people write by hand.
            order.writeText("\uFEFF" + ORDER.replace("TARGET", target))
            return shouldThrow<CliktError> {
                val words = arrayOf("agent", "$order", "--out", "$out", *more)
                Threadgauge().subcommands(AgentCommand()).parseOrSuggest(words)
            }
        }
        for (target in listOf(
            """{"host": "192.0.2.10", "port": 80}""", """{"host": "localhost", "port": 80, "ip": "192.0.2.10"}""",
        )) withClue(target) {
            val refused = agent(target)
            refused.statusCode shouldBe ExitCode.USAGE.number
            refused.message shouldContain "--i-may-load 192.0.2.10"
            agent(target, "--i-may-load", "192.0.2.11").statusCode shouldBe ExitCode.USAGE.number
        }
        out.exists() shouldBe false
    }

    @Test
    fun `an option of run that no experiment can take is a wrong command line, a wrong file a wrong file`() {
        val file = folder.resolve("a.yaml")
        file.writeText("name: a\nquestion: b?\nstacks: [ktor-netty]\nrequest: GET /hello\nload: {burst: 1}\n")
        fun code(vararg more: String) = atHome {
            shouldThrow<CliktError> {
                Threadgauge().subcommands(RunCommand()).parseOrSuggest(arrayOf("run", "$file", *more))
            }.statusCode
        }
        code("--only", "ktor-nety") shouldBe ExitCode.USAGE.number
        code("--trials", "1000") shouldBe ExitCode.USAGE.number
        code("--goals", "p99<300") shouldBe ExitCode.USAGE.number
        code("--trials", "1000", "tuor") shouldBe ExitCode.BAD_FILE.number
        file.writeText("name: a\n")
        code("--trials", "3") shouldBe ExitCode.BAD_FILE.number
    }

    private fun <T> atHome(work: () -> T): T {
        val before = System.getProperty(HOME)
        System.setProperty(HOME, "${projectRoot()}")
        try {
            return work()
        } finally {
            if (before == null) System.clearProperty(HOME) else System.setProperty(HOME, before)
        }
    }

    private fun answer(words: String): String {
        val command = threadgaugeCommand()
        val error = shouldThrow<CliktError> { command.parseOrSuggest(words.split(' ').toTypedArray()) }
        if ("--help" !in words) (error is UsageError) shouldBe true
        return command.getFormattedHelp(error).orEmpty()
    }

    private companion object {
        const val HOME = "threadgauge.home"
        const val ORDER =
            """{"id": 1, "load": {"type": "burst", "requests": 1}, "request": {"path": "/"}, "targets": [TARGET]}"""
    }
}

package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import java.nio.file.Files
import java.nio.file.Path
import threadgauge.cli.ExitCode
import threadgauge.cli.command.option.MAY_LOAD_HELP
import threadgauge.cli.command.option.ended
import threadgauge.cli.exitCodes
import threadgauge.cli.home
import threadgauge.cli.onInterrupt
import threadgauge.cli.stop
import threadgauge.draft.Draft
import threadgauge.draft.DraftFailed
import threadgauge.draft.DraftScenario
import threadgauge.draft.DraftStep
import threadgauge.draft.openapi.openApiDraft
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.target.CONTAINER
import threadgauge.experiment.target.readTarget
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.Stack
import threadgauge.model.failure.Failed
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.launch.OpenApiSearch
import threadgauge.run.launch.lookAt

/** `threadgauge init`: a first experiment file for a service of the user's own. */
internal class InitCommand : CliktCommand(name = "init") {
    private val target by argument("target", help = "A URL, a jar, a command in quotes, or container:IMAGE")
    private val out by outOption()
    private val mayLoad by option("--i-may-load", metavar = "host", help = MAY_LOAD_HELP).multiple()

    override fun help(context: Context) = """
        Write a first experiment file for a service of yours, with comments, to be edited.

        It looks at the service, which it starts if it is not running, and takes requests from its OpenAPI document if
        it has one. It sends a dozen requests, and no load.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge init shop.jar
          threadgauge init http://localhost:8080 --out shop.yaml
    """.trimIndent() + "\n\n" + exitCodes(
        ExitCode.DONE to "the file was written",
        ExitCode.USAGE to "the target is wrong, or the file to write exists already",
        ExitCode.UNAVAILABLE to "the service did not start, or does not answer",
        ExitCode.NOT_WRITABLE to "the file could not be written",
        ExitCode.INTERRUPTED to "interrupted with Ctrl-C; what was started is stopped",
    )

    override fun run() {
        val file = out ?: Path.of("experiment.yaml")
        refuseExisting(file)
        val stack = stack()
        val cancellation = Cancellation()
        val found = onInterrupt(cancellation) {
            try {
                if (stack.url == null) terminal.println("Starting it, to see what it serves …", stderr = true)
                val logs = Files.createTempDirectory("threadgauge-init-")
                lookAt(stack, logs.resolve("service.log"), cancellation) { host, port ->
                    OpenApiSearch(host, port).find()
                }
            } catch (_: Cancelled) {
                throw stop(ExitCode.INTERRUPTED, "Interrupted; nothing was written.")
            } catch (failed: Failed) {
                throw stop(failed)
            }
        }
        terminal.println(found?.let { "Its OpenAPI document is at ${it.path}." } ?: "No OpenAPI document was found.")
        writeDraft(file, terminal) { found?.let { drafted(it.text) } ?: plain() }
    }

    private fun drafted(document: String): Draft? = try {
        openApiDraft(document, asKey())
    } catch (failed: DraftFailed) {
        terminal.println("It could not be used: ${failed.message}")
        null
    }

    private fun plain() = Draft(
        name = "my-service",
        question = "How many users does my service serve?",
        target = asKey(),
        scenarios = listOf(DraftScenario("visit", listOf(DraftStep("GET /", thinkMillis = 1_000)))),
    )

    private fun asKey(): Pair<String, String> = when {
        target.startsWith(CONTAINER) -> "container" to target.removePrefix(CONTAINER).trim()
        "://" in target.substringBefore(' ') -> "url" to target
        target.endsWith(".jar") && ' ' !in target -> "jar" to target
        else -> "command" to target
    }

    private fun stack(): Stack {
        val stack = try {
            readTarget(target, StackCatalogue.read(home), mayLoad = mayLoad.toSet())
        } catch (wrong: ExperimentMistakes) {
            throw ended(wrong)
        }
        if (stack.isShipped) {
            throw stop(ExitCode.USAGE, "${stack.name} comes with Threadgauge: copy a file of experiments/ for it.")
        }
        return stack
    }
}

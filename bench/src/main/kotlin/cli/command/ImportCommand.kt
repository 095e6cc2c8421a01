package threadgauge.cli.command

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.subcommands
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.mordant.terminal.Terminal
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readBytes
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.exitCodes
import threadgauge.cli.stop
import threadgauge.draft.Draft
import threadgauge.draft.DraftFailed
import threadgauge.draft.har.harDraft
import threadgauge.draft.openapi.openApiDraft
import threadgauge.draft.text
import threadgauge.model.utf8Text

/** `threadgauge import`: first experiment files from what others have written. */
internal class ImportCommand : CliktCommand(name = "import") {
    init {
        subcommands(ImportHar(), ImportOpenApi())
    }

    override fun help(context: Context) = "Make an experiment file from a recording of a browser, or from OpenAPI."

    override fun helpEpilog(context: Context) = IMPORT_CODES

    override fun run() = Unit
}

/** `threadgauge import har`. */
internal class ImportHar : CliktCommand(name = "har") {
    private val file by argument("file", help = "Recording of a browser's network tab, in the HAR format").path()
    private val out by outOption()
    private val host by option(
        "--host", metavar = "host", help = "Only requests to this host (default: that of the first)",
    )
    private val all by option("--all", help = "Images, styles, scripts and fonts, too").flag()

    override fun help(context: Context) = """
        Make an experiment file from a recording of a browser: its requests in their order, with pauses, and with what
        each took from the answers before it. Nothing is started or loaded.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge import har checkout.har
          threadgauge import har checkout.har --host localhost:8080 --out shop.yaml
    """.trimIndent() + "\n\n" + IMPORT_CODES

    override fun run() {
        val name = file.nameWithoutExtension
        writeDraft(out ?: Path.of("$name.yaml"), terminal) { harDraft(textOf(file), name, host, all) }
    }
}

/** `threadgauge import openapi`. */
internal class ImportOpenApi : CliktCommand(name = "openapi") {
    private val file by argument("file", help = "OpenAPI 3 document, as JSON or YAML").path()
    private val out by outOption()

    override fun help(context: Context) = """
        Make an experiment file from an OpenAPI 3 document: a scenario that reads what it describes. Requests that write
        stand there as comments. Nothing is started or loaded.
    """.trimIndent()

    override fun helpEpilog(context: Context) = """
        Examples:
          threadgauge import openapi openapi.json
          threadgauge import openapi shop.yaml --out shop-load.yaml
    """.trimIndent() + "\n\n" + IMPORT_CODES

    override fun run() {
        val name = file.nameWithoutExtension
        writeDraft(out ?: Path.of("$name-load.yaml"), terminal) { openApiDraft(textOf(file), name = name) }
    }
}

internal fun CliktCommand.outOption() = option("--out", metavar = "file", help = "File to write; it must not exist yet")
    .path(canBeDir = false)

/** Writes the draft that [make] gives to [file], which must be new, so that nobody's work is lost. */
internal fun writeDraft(file: Path, terminal: Terminal, make: () -> Draft) {
    refuseExisting(file)
    val draft = try {
        make()
    } catch (failed: DraftFailed) {
        throw stop(ExitCode.BAD_FILE, failed.message.orEmpty())
    }
    try {
        file.writeText(draft.text())
    } catch (denied: IOException) {
        throw stop(ExitCode.NOT_WRITABLE, "$file cannot be written: ${denied.message}")
    }
    val steps = draft.scenarios.flatMap { it.steps }
    val open = steps.count { it.toDo != null }
    val ready = steps.size - open
    terminal.println("Written: $file, with $ready requests" + if (open > 0) " and $open more as comments." else ".")
    terminal.println("Read it, change what users do, and run it: threadgauge run $file --quick")
}

internal fun refuseExisting(file: Path) {
    if (file.exists()) throw stop(ExitCode.USAGE, "$file exists already. Give another name by --out, or remove it.")
}

private fun textOf(file: Path): String {
    if (!Files.isRegularFile(file)) throw stop(ExitCode.BAD_FILE, "There is no file $file.")
    val bytes = try {
        file.readBytes()
    } catch (denied: IOException) {
        throw stop(ExitCode.BAD_FILE, "$file cannot be read: ${denied.message}")
    }
    return utf8Text(bytes) ?: throw stop(ExitCode.BAD_FILE, "$file is not a text in UTF-8.")
}

internal val IMPORT_CODES = exitCodes(
    ExitCode.DONE to "the file was written",
    ExitCode.USAGE to "the command line is wrong, or the file to write exists already",
    ExitCode.BAD_FILE to "the file to read is not what it should be",
    ExitCode.NOT_WRITABLE to "the file could not be written",
)

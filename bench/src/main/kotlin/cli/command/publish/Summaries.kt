package threadgauge.cli.command.publish

import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.NullableOption
import com.github.ajalt.clikt.parameters.options.RawOption
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText
import threadgauge.cli.ExitCode
import threadgauge.cli.stop
import threadgauge.report.ci.JudgedRun
import threadgauge.report.ci.runJUnit
import threadgauge.report.ci.runMarkdown

/** The name of a saved run: it stands where a folder could, so it is none, and fits into the name of a page. */
internal fun RawOption.savedName(): NullableOption<String, String> = convert { text ->
    val isName = SAVED_NAME.matches(text)
    if (isName) text else fail("$text is no name: letters, digits, dots, minuses and underscores, up to 60 of them")
}

private val SAVED_NAME = Regex("[A-Za-z0-9][A-Za-z0-9._-]{0,59}")

internal const val SAVE_AS_HELP = "Name of this run, such as main: for compare and history"

/** The options for a build: where to write summaries of runs. */
internal class SummaryOptions : OptionGroup() {
    private val markdown by option(
        "--markdown", metavar = "FILE", help = "Write a summary for a pull request, in Markdown",
    ).path(canBeDir = false)
    private val junit by option("--junit", metavar = "FILE", help = "Write JUnit XML for build servers")
        .path(canBeDir = false)

    val open: Summaries by lazy { Summaries(markdown, junit) }

    /** Before minutes of measuring, not after them. */
    fun refuseUnwritable() = listOfNotNull(markdown, junit).forEach { file ->
        val folder = file.toAbsolutePath().parent
        val isWritable = if (Files.exists(file)) Files.isWritable(file) else Files.isWritable(folder)
        if (!isWritable) {
            val why = if (Files.isDirectory(folder)) "permission denied" else "there is no folder $folder"
            throw stop(ExitCode.NOT_WRITABLE, "$file cannot be written: $why")
        }
    }
}

/** Summaries of all runs so far, in files that are whole after each run. */
internal class Summaries(private val markdown: Path?, private val junit: Path?) {
    private val runs = ArrayList<JudgedRun>()

    fun add(run: JudgedRun) {
        runs += run
        markdown?.let { write(it, runMarkdown(runs)) }
        junit?.let { write(it, runJUnit(runs)) }
    }

    private fun write(file: Path, text: String) = try {
        file.writeText(text)
    } catch (denied: IOException) {
        throw stop(ExitCode.NOT_WRITABLE, "$file cannot be written: ${denied.message}")
    }

    companion object {
        val NONE = Summaries(null, null)
    }
}

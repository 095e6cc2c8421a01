package threadgauge.cli

import com.github.ajalt.clikt.core.PrintMessage
import java.util.Locale

/** Exit codes. The command-line library throws usage errors, which `main` maps to 64. */
enum class ExitCode(val number: Int, val meaning: String) {
    DONE(0, "done"),
    FAILED(1, "compare: worse than the base; run: a claim was refuted; run, try: a goal was broken"),
    CANNOT_TELL(
        2, "no result in part; a claim or goal is open; knee: none found; doctor: this machine is not fit to measure",
    ),
    USAGE(64, "the command line is invalid"),
    BAD_FILE(65, "a file is invalid; nothing was started"),
    UNAVAILABLE(69, "something that the run needs is missing or has stopped: JDK, port, process"),
    OUR_BUG(70, "a bug in Threadgauge"),
    NOT_WRITABLE(74, "results could not be written"),
    INTERRUPTED(130, "interrupted with Ctrl-C; the record so far is kept"),
}

/**
 * The part of a command's help that says how the command ends. [codes] have the meaning that they have for this
 * command; those that every command has are added.
 */
internal fun exitCodes(vararg codes: Pair<ExitCode, String>): String {
    val meanings = listOf(ExitCode.USAGE, ExitCode.OUR_BUG).associateWith { it.meaning } + codes
    val lines = meanings.entries.sortedBy { it.key.number }.map { (code, meaning) ->
        "%5d  %s".format(Locale.ROOT, code.number, meaning.replace("\n", "\n" + " ".repeat(MEANING_COLUMN)))
    }
    return (listOf("Exit codes:") + lines).joinToString("\n")
}

private const val MEANING_COLUMN = 7

/** Ends the command with [message] on standard error and with [code]. */
internal fun stop(code: ExitCode, message: String) =
    PrintMessage(message.trimEnd(), statusCode = code.number, printError = true)

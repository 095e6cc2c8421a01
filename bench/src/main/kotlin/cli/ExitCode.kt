package threadgauge.cli

import com.github.ajalt.clikt.core.PrintMessage

/** How Threadgauge ends. Usage errors, 64, are thrown by the command-line library and given that number in `main`. */
enum class ExitCode(val number: Int, val meaning: String) {
    DONE(0, "done"),
    FAILED(1, "compare: worse than the base; run: a claim was refuted"),
    CANNOT_TELL(
        2, "something could not be measured or told; knee: none was found; doctor: this machine is not fit to measure",
    ),
    USAGE(64, "the command line is wrong"),
    BAD_FILE(65, "a file is wrong; nothing was started"),
    UNAVAILABLE(69, "something the run needs is missing or stopped: JDK, port, process"),
    OUR_BUG(70, "a bug in Threadgauge"),
    NOT_WRITABLE(74, "results could not be written"),
    INTERRUPTED(130, "interrupted with Ctrl-C; the record so far is kept"),
}

/** Ends the command with [message] on the error stream and [code]. */
internal fun stop(code: ExitCode, message: String) =
    PrintMessage(message.trimEnd(), statusCode = code.number, printError = true)

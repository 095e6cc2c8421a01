package threadgauge.cli

import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.output.MordantHelpFormatter
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.widgets.Text

/** The usual help, but with the lines of examples and exit codes unchanged, and with defaults. */
internal class Help(context: Context) : MordantHelpFormatter(context) {
    override fun renderEpilog(epilog: String): Widget = Text(epilog, whitespace = Whitespace.PRE)
}

/** Hint for an option that had another name until version 0.2.0. */
internal const val REPEATS_ARE_TRIALS = "Hint: --repeats is now called --trials; the next version rejects the old name."

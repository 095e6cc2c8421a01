package threadgauge.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.MultiUsageError
import com.github.ajalt.clikt.core.NoSuchSubcommand
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.parse
import com.github.ajalt.clikt.output.Localization
import threadgauge.experiment.yaml.nearestRemedy
import threadgauge.experiment.yaml.nearestSpelling

/** Those of [known] that [written] was most likely meant to be: the nearest one, or all that begin with it. */
internal fun suggestions(written: String, known: List<String>): List<String> {
    val nearest = nearestSpelling(written, known)
    if (nearest != null) return listOf(nearest)
    val isBeginning = written.trimStart('-').length >= SHORTEST_BEGINNING
    return if (isBeginning) known.filter { it.startsWith(written) } else emptyList()
}

/** The library's words, but for a value that is none of those that an option takes. */
internal object Wording : Localization {
    override fun invalidChoice(choice: String, choices: List<String>): String =
        "there is no \"$choice\" here. ${nearestRemedy(choice, choices)}"
}

/**
 * Carries [arguments] out. A command that does not exist is reported as that, also with words behind it, of which the
 * library says that they are unexpected; and several mistakes show the usage of the command that they were made in.
 */
internal fun CliktCommand.parseOrSuggest(arguments: Array<String>) {
    // Each command has a context of its own, which does not take this from that of the program.
    registeredSubcommands().forEach { command -> command.configureContext { suggestTypoCorrection = ::suggestions } }
    try {
        parse(arguments)
    } catch (error: MultiUsageError) {
        error.context = error.errors.firstNotNullOfOrNull { it.context }
        throw noSuchCommand(arguments, error) ?: error
    } catch (error: UsageError) {
        throw noSuchCommand(arguments, error) ?: error
    }
}

private fun CliktCommand.noSuchCommand(arguments: Array<String>, error: UsageError): UsageError? {
    val name = arguments.firstOrNull()?.takeIf { !it.startsWith("-") } ?: return null
    val known = registeredSubcommandNames()
    if (name in known) return null
    return NoSuchSubcommand(name, suggestions(name, known)).also { it.context = error.context ?: currentContext }
}

private const val SHORTEST_BEGINNING = 2

package threadgauge.experiment.yaml

import java.nio.file.Path

/** A place in a text; both count from 1. */
internal data class Place(val line: Int, val column: Int)

/**
 * The reading of one file: its text, and every mistake found in it so far.
 *
 * Readers report a mistake here and go on with null in place of the value, so that one reading finds all of them.
 * Used by one thread.
 */
internal class Reading(val file: String, val text: String, folder: Path) {
    /** The files beside this one that it names. */
    val neighbours = Neighbours(folder)
    private val lines = text.split(LINE_BREAK)
    private val found = mutableListOf<ExperimentMistake>()
    private var notShown = 0

    val hasMistakes get() = mistakeCount > 0

    /** Of all that were found, also those that are not shown. A reader that leaves it as it was found nothing wrong. */
    val mistakeCount get() = found.size + notShown

    /** From here on mistakes are only counted, so there is no need to look for remedies. */
    val isFull get() = found.size >= MOST_MISTAKES

    fun wrong(place: Place, problem: String, remedy: String) {
        if (isFull) {
            notShown++
            return
        }
        val source = lines.getOrElse(place.line - 1) { "" }
        found += ExperimentMistake(file, place.line, place.column, source, problem, remedy)
    }

    fun wrong(node: Node, problem: String, remedy: String) = wrong(node.place, problem, remedy)

    fun nearest(written: String, known: Collection<String>) = if (isFull) "" else nearestRemedy(written, known)

    /** Mistakes in the order of the text. */
    fun mistakes(): List<ExperimentMistake> = found.sortedWith(compareBy({ it.line }, { it.column }))

    /** Ends the reading in an error if anything was wrong. */
    fun throwMistakes() {
        if (hasMistakes) throw ExperimentMistakes(mistakes(), notShown)
    }

    private companion object {
        val LINE_BREAK = Regex("\r\n|\r|\n")

        /** More would not help anybody; a file with so many is not an experiment. */
        const val MOST_MISTAKES = 50
    }
}

/** The user's text within a message: in quotes, shortened, and without what a terminal could take for a command. */
internal fun quoted(text: String): String {
    val characters = text.codePoints().limit(QUOTED_LENGTH + 1L).toArray()
    val shown = characters.take(QUOTED_LENGTH).joinToString("") { if (isUnprintable(it)) "�" else Character.toString(it) }
    return if (characters.size > QUOTED_LENGTH) "\"$shown…\"" else "\"$shown\""
}

private const val QUOTED_LENGTH = 50

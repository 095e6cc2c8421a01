package threadgauge.experiment.yaml

import java.nio.file.Path

/** A place in a text; both count from 1. */
internal data class TextPosition(val line: Int, val column: Int)

/**
 * What is known while one file is read: its text, and every mistake and hint found in it so far.
 *
 * Readers report a mistake here and go on with null in place of the value, so that one pass finds all of them.
 * Used by one thread.
 */
internal class ParseContext(val file: String, val text: String, folder: Path) {
    /** The files beside this one that it names. */
    val neighbours = ReferencedFiles(folder)
    val lines = text.split(LINE_BREAK)
    private val found = mutableListOf<ExperimentMistake>()
    private val hinted = mutableListOf<ExperimentMistake>()
    private var notShown = 0

    val hasMistakes get() = mistakeCount > 0

    /** Of all that were found, also those that are not shown. A reader that leaves it as it was found nothing wrong. */
    val mistakeCount get() = found.size + notShown

    /** From here on mistakes are only counted, so there is no need to look for remedies. */
    val isFull get() = found.size >= MAX_MISTAKES

    fun wrong(place: TextPosition, problem: String, remedy: String) {
        if (isFull) {
            notShown++
            return
        }
        found += mistakeAt(place, problem, remedy)
    }

    /** Whoever wrote [node] does not see an exotic blank in it, so the remedy names it, but for one in a long text. */
    fun wrong(node: YamlNode, problem: String, remedy: String) {
        val blank = (node as? YamlScalar)?.takeIf { !isFull && it.text.length <= MAX_LOOKED_AT }
            ?.let { exoticBlankIn(it.text) }
        wrong(node.place, problem, if (blank == null) remedy else "$remedy ${blankWords(node, blank)}")
    }

    private fun blankWords(node: YamlScalar, blank: IndexedValue<Int>): String {
        val isOnLine = !node.quoted && lines.getOrElse(node.place.line - 1) { "" }.contains(node.text)
        val where = if (isOnLine) "Column ${node.place.column + blank.index} holds" else "It holds"
        return "$where a ${characterName(blank.value)}, which is no plain space."
    }

    /** Reports something that is accepted today and rejected by a later version. */
    fun hint(node: YamlNode, problem: String, remedy: String) {
        hinted += mistakeAt(node.place, problem, remedy)
    }

    private fun mistakeAt(place: TextPosition, problem: String, remedy: String): ExperimentMistake =
        ExperimentMistake(file, place.line, place.column, lines.getOrElse(place.line - 1) { "" }, problem, remedy)

    fun nearest(written: String, known: Collection<String>) = if (isFull) "" else nearestRemedy(written, known)

    /** Mistakes in the order of the text. */
    fun mistakes(): List<ExperimentMistake> = found.sortedWith(compareBy({ it.line }, { it.column }))

    /** Hints in the order of the text. */
    fun hints(): List<ExperimentMistake> = hinted.sortedWith(compareBy({ it.line }, { it.column }))

    /** Throws [ExperimentMistakes] if anything was wrong. */
    fun throwMistakes() {
        if (hasMistakes) throw ExperimentMistakes(mistakes(), notShown)
    }

    private companion object {
        val LINE_BREAK = Regex("\r\n|\r|\n")

        /** More would not help anybody; a file with so many is not an experiment. */
        const val MAX_MISTAKES = 50

        /** In characters. */
        const val MAX_LOOKED_AT = 1_000
    }
}

/** The user's text within a message: in quotes, shortened, and without what a terminal could take for a command. */
internal fun quoted(text: String): String {
    val characters = text.codePoints().limit(QUOTED_LENGTH + 1L).toArray()
    val shown =
        characters.take(QUOTED_LENGTH).joinToString("") { if (isUnprintable(it)) "�" else Character.toString(it) }
    return if (characters.size > QUOTED_LENGTH) "\"$shown…\"" else "\"$shown\""
}

private const val QUOTED_LENGTH = 50

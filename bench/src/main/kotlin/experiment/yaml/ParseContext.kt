package threadgauge.experiment.yaml

import java.nio.file.Path

/** A position in a text; both count from 1. */
internal data class TextPosition(val line: Int, val column: Int)

/**
 * The context of parsing one file: its text, and the mistakes and hints so far.
 *
 * Readers report a mistake here and return null instead of the value, so that one pass finds all mistakes. Used by one
 * thread.
 */
internal class ParseContext(val file: String, val text: String, folder: Path) {
    /** Files that this file refers to. */
    val neighbours = ReferencedFiles(folder)
    val lines = text.split(LINE_BREAK)
    private val found = mutableListOf<ExperimentMistake>()
    private val hinted = mutableListOf<ExperimentMistake>()
    private var notShown = 0

    val hasMistakes get() = mistakeCount > 0

    /** Number of all mistakes, including those not shown. If a reader does not change it, there was none. */
    val mistakeCount get() = found.size + notShown

    /** From this number on, mistakes are only counted, so remedies are not needed. */
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

    /** Reports something that a later version will reject. */
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

    /** Throws [ExperimentMistakes] if there is any mistake. */
    fun throwMistakes() {
        if (hasMistakes) throw ExperimentMistakes(mistakes(), notShown)
    }

    private companion object {
        val LINE_BREAK = Regex("\r\n|\r|\n")

        /** More mistakes would not help; a file with so many is not an experiment. */
        const val MAX_MISTAKES = 50

        /** In characters. */
        const val MAX_LOOKED_AT = 1_000
    }
}

/** Text of the user for a message: in quotes, shortened, without control characters. */
internal fun quoted(text: String): String {
    val characters = text.codePoints().limit(QUOTED_LENGTH + 1L).toArray()
    val shown =
        characters.take(QUOTED_LENGTH).joinToString("") { if (isUnprintable(it)) "�" else Character.toString(it) }
    return if (characters.size > QUOTED_LENGTH) "\"$shown…\"" else "\"$shown\""
}

private const val QUOTED_LENGTH = 50

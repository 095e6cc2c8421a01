package threadgauge.experiment.yaml

/**
 * A mistake in a file, with a remedy.
 *
 * [line] and [column] count from 1, columns in characters as users see them. A mistake that concerns the whole file (it
 * is missing, it is too large) has line 0.
 */
data class ExperimentMistake(
    val file: String,
    val line: Int,
    val column: Int,
    /** The text of that line, verbatim. */
    val sourceLine: String,
    val problem: String,
    val remedy: String,
)

/**
 * All mistakes in the files, in the order of the text, never empty. The message is for users. It is not a bug, so it
 * has no stack trace.
 */
class ExperimentMistakes(val mistakes: List<ExperimentMistake>, val notShown: Int = 0) :
    Exception(mistakes.joinToString("\n") { it.render() } + moreWords(notShown), null, false, false) {
    init {
        check(mistakes.isNotEmpty()) { "no mistakes to report" }
    }
}

/** The only mistake, of an option or a file as a whole, [where]. */
internal fun oneMistake(where: String, problem: String, remedy: String) =
    ExperimentMistakes(listOf(ExperimentMistake(where, 0, 0, "", problem, remedy)))

private fun moreWords(notShown: Int) = if (notShown == 0) "" else "\nand $notShown more.\n"

/**
 * The mistake as it is shown: place and problem, the line with a caret under the place, the remedy. Long lines are cut
 * to a window around the place, and control characters are replaced.
 */
fun ExperimentMistake.render(): String = buildString {
    if (line == 0) {
        append("$file: $problem\n")
        append("    $remedy\n")
        return@buildString
    }
    append("$file:$line:$column: $problem\n")
    val characters = sourceLine.codePoints().toArray()
    val from = if (characters.size <= WINDOW) 0 else (column - 1 - WINDOW / 2).coerceIn(0, characters.size - WINDOW)
    val to = minOf(characters.size, from + WINDOW)
    val before = if (from > 0) "…" else ""
    val after = if (to < characters.size) "…" else ""
    val shown = characters.copyOfRange(from, to).joinToString("") { visible(it) }
    val margin = " ".repeat(line.toString().length)
    append(" $line | $before$shown$after".trimEnd()).append('\n')
    append(" $margin | ${" ".repeat(before.length + (column - 1 - from).coerceIn(0, WINDOW))}^\n")
    append(" $margin   $remedy\n")
}

private fun visible(character: Int): String = when {
    character == '\t'.code -> " "
    isUnprintable(character) || isExoticBlank(character) -> "�"
    else -> Character.toString(character)
}

/** Control characters and those that change the writing direction, which could manipulate the terminal. */
internal fun isUnprintable(character: Int): Boolean = when (Character.getType(character).toByte()) {
    Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true
    Character.FORMAT -> character in 0x200E..0x202E || character in 0x2066..0x2069 || character == 0xFEFF
    else -> false
}

private const val WINDOW = 100

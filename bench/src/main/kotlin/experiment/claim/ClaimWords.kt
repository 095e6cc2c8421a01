package threadgauge.experiment.claim

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.text

/** A word or a sign of a claim, with its index in the text, from 0. */
internal class ClaimWord(val text: String, val offset: Int)

/** The words and signs of one claim, in order, with a position. */
internal class ClaimWords(private val context: ParseContext, private val scalar: YamlScalar) {
    private val words = WORD.findAll(scalar.text).map { ClaimWord(it.value, it.range.first) }.toList()
    private var at = 0

    /** Null at the end. */
    val next: ClaimWord? get() = words.getOrNull(at)
    val afterNext: ClaimWord? get() = words.getOrNull(at + 1)

    fun take(): ClaimWord? = next.also { at++ }

    fun takeIf(vararg texts: String): ClaimWord? = next?.takeIf { it.text in texts }?.also { at++ }

    /** Reports [problem] at [word], or at the end of the claim. */
    fun wrong(word: ClaimWord?, problem: String, remedy: String): Nothing? {
        context.wrong(placeOf(word?.offset ?: scalar.text.trimEnd().length), problem, remedy)
        return null
    }

    /** Reports that [what] is expected instead of [word]. */
    fun expected(what: String, word: ClaimWord?, remedy: String): Nothing? =
        wrong(
            word,
            "expected $what" + if (word == null) ", and the claim ends here" else ", not ${quoted(word.text)}",
            remedy,
        )

    /**
     * The position in the file, if the text is there verbatim. Text that is folded over lines or has escapes has only
     * one position: its start.
     */
    private fun placeOf(offset: Int): TextPosition {
        val start = scalar.place
        val column = start.column + if (scalar.quoted) 1 else 0
        val line = context.text.lineSequence().elementAtOrNull(start.line - 1).orEmpty()
        val from = line.offsetOf(column - 1) ?: return start
        if (!line.startsWith(scalar.text, from)) return start
        return TextPosition(start.line, column + scalar.text.codePointCount(0, offset.coerceAtMost(scalar.text.length)))
    }

    private companion object {
        val WORD = Regex("""<=|>=|=<|=>|==|[<>=≤≥,×*]|[^\s<>=≤≥,×*]+""")
    }
}

/** Index of the character after this number of characters, as users count them. */
private fun String.offsetOf(characters: Int): Int? =
    if (characters in 0..codePointCount(0, length)) offsetByCodePoints(0, characters) else null

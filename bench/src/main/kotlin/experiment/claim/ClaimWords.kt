package threadgauge.experiment.claim

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.text

/** A word or a sign of a claim, and where it begins in its text, counted from 0. */
internal class ClaimWord(val text: String, val offset: Int)

/** The words and signs of one claim, in order, and the one that is to be read next. */
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

    /** [what] should stand where [word] does. */
    fun expected(what: String, word: ClaimWord?, remedy: String): Nothing? =
        wrong(
            word,
            "expected $what" + if (word == null) ", and the claim ends here" else ", not ${quoted(word.text)}",
            remedy,
        )

    /**
     * In the file, where the text stands there as it is. A text that is folded over lines or has escapes in it has
     * only one place: its beginning.
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

/** Index of the character that is so many characters after the first, as a person counts them. */
private fun String.offsetOf(characters: Int): Int? =
    if (characters in 0..codePointCount(0, length)) offsetByCodePoints(0, characters) else null

package threadgauge.experiment.yaml

import java.util.Locale

/**
 * A character that a person takes for a blank, or does not see at all, and that YAML takes for a letter: `yes` with one
 * behind it is another word. They come from web pages, word processors and keyboards (Option-blank on a Mac).
 */
internal fun isExoticBlank(character: Int): Boolean = when (Character.getType(character).toByte()) {
    Character.SPACE_SEPARATOR -> character != ' '.code
    Character.FORMAT -> true
    else -> character in FILLERS
}

/** For messages: `no-break space (U+00A0)`. */
internal fun characterName(character: Int): String {
    val name = if (character == BYTE_ORDER_MARK) "byte-order mark" else Character.getName(character)
    return "${name?.lowercase(Locale.ROOT) ?: "character"} (U+%04X)".format(Locale.ROOT, character)
}

/** [text] without exotic blanks at its ends. */
internal fun withoutExoticBlanks(text: String): String {
    val characters = text.codePoints().toArray()
    val from = characters.indexOfFirst { !isBlank(it) }
    val to = characters.indexOfLast { !isBlank(it) }
    return if (from < 0) "" else String(characters, from, to - from + 1)
}

/** Number of exotic blanks that [text] ends with, plain ones between them included. */
internal fun exoticBlanksAtEnd(text: String): Int {
    val characters = text.codePoints().toArray()
    return characters.size - 1 - characters.indexOfLast { !isBlank(it) }
}

/** The first exotic blank in [text] and its place, counted from 0 in characters; null where there is none. */
internal fun exoticBlankIn(text: String): IndexedValue<Int>? =
    text.codePoints().toArray().withIndex().firstOrNull { isExoticBlank(it.value) }

/**
 * The last exotic blank in [lines] that stands where YAML has its own marks: before the first word, beside a colon, or
 * after a hyphen. Null where there is none. Comments are passed over.
 */
internal fun exoticBlankAmong(lines: List<String>): Pair<TextPosition, Int>? {
    for (number in lines.size downTo 1) {
        val characters = lines[number - 1].substringBefore('#').codePoints().toArray()
        val at = characters.indices.firstOrNull { isExoticBlank(characters[it]) && isOfYaml(characters, it) }
        if (at != null) return TextPosition(number, at + 1) to characters[at]
    }
    return null
}

private fun isOfYaml(characters: IntArray, at: Int): Boolean {
    val before = (0..<at).map { characters[it] }.dropLastWhile(::isBlank)
    val after = characters.drop(at + 1).firstOrNull { !isBlank(it) }
    val follows = before.isEmpty() || before.last() == ':'.code || before.singleOrNull { !isBlank(it) } == '-'.code
    return follows || after == ':'.code
}

private fun isBlank(character: Int) = character == ' '.code || character == '\t'.code || isExoticBlank(character)

/** Letters of Hangul that are empty. */
private val FILLERS = setOf(0x115F, 0x1160, 0x3164, 0xFFA0)
private const val BYTE_ORDER_MARK = 0xFEFF

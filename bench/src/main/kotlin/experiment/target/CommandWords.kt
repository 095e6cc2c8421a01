package threadgauge.experiment.target

import threadgauge.experiment.yaml.Parsed

/**
 * The words of a command by the quoting rules of a POSIX shell (Shell Command Language, section 2.2), without
 * expansions: blanks separate words; single quotes quote everything; in double quotes a backslash quotes `"`, `\`, `$`
 * and the backquote; outside of quotes it quotes any character.
 *
 * No shell is involved, so variables, wildcards, pipes and `&&` have no effect, and are rejected if they are unquoted.
 */
internal fun commandWords(text: String): Parsed<List<String>> = CommandSplitter(text).split()

private class CommandSplitter(private val text: String) {
    private val words = ArrayList<String>()
    private val word = StringBuilder()
    private var isInWord = false
    private var at = 0

    fun split(): Parsed<List<String>> {
        while (at < text.length) {
            val problem = when (val character = text[at]) {
                ' ', '\t', '\n', '\r' -> endWord()
                '\'' -> single()
                '"' -> double()
                '\\' -> escaped()
                in FOR_A_SHELL -> return forAShell(character)
                else -> take(character)
            }
            if (problem != null) return problem
            at++
        }
        endWord()
        return Parsed.Good(words)
    }

    private fun take(character: Char): Parsed.Bad? {
        isInWord = true
        word.append(character)
        return null
    }

    private fun endWord(): Parsed.Bad? {
        if (isInWord) words += word.toString()
        isInWord = false
        word.clear()
        return null
    }

    private fun single(): Parsed.Bad? {
        val end = text.indexOf('\'', at + 1)
        if (end < 0) return unbalanced("'")
        isInWord = true
        word.append(text, at + 1, end)
        at = end
        return null
    }

    private fun double(): Parsed.Bad? {
        isInWord = true
        var next = at + 1
        while (next < text.length && text[next] != '"') {
            if (text[next] == '\\' && next + 1 < text.length && text[next + 1] in "\"\\$`") next++
            word.append(text[next++])
        }
        if (next >= text.length) return unbalanced("\"")
        at = next
        return null
    }

    private fun escaped(): Parsed.Bad? {
        if (at + 1 >= text.length) {
            return Parsed.Bad("the command ends in a backslash", "Write \\\\ for a backslash itself.")
        }
        return take(text[++at])
    }

    private fun unbalanced(quote: String) = Parsed.Bad(
        "the quote $quote at character ${at + 1} of the command is never closed",
        "Close it, or write \\$quote for the sign itself.",
    )

    private fun forAShell(character: Char) = Parsed.Bad(
        "the command holds $character, which only a shell understands",
        "Quote it, or give the command to a shell: sh -c \"exec …\".",
    )

    private companion object {
        const val FOR_A_SHELL = "|&;<>()`$"
    }
}

package threadgauge.checks

/** Files that a guide shows, by their place: text of code blocks that stand under a line which only names a file. */
internal fun filesShownIn(guide: String): Map<String, String> {
    val files = LinkedHashMap<String, String>()
    val lines = guide.lines().listIterator()
    while (lines.hasNext()) {
        val (path, added) = NAMED.matchEntire(lines.next())?.destructured ?: continue
        var next = lines.next()
        while (next.isBlank()) next = lines.next()
        require(next.startsWith(FENCE)) { "under $path the guide shows no file but: $next" }
        val text = StringBuilder()
        while (lines.hasNext()) {
            val line = lines.next()
            if (line.startsWith(FENCE)) break
            text.appendLine(line)
        }
        require(added.isNotEmpty() || path !in files) { "the guide shows $path twice" }
        files.merge(path, text.toString(), String::plus)
    }
    return files
}

private val NAMED = Regex("`([^`]+)`(, added at the end)?:")
private const val FENCE = "```"

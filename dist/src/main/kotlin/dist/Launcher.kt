package threadgauge.dist

/**
 * The launcher of an archive: a head of its own, and those sections of the [source] launcher that both need. It never
 * builds.
 */
internal fun archiveLauncher(source: String, head: String): String =
    (listOf(head.trimEnd()) + SECTIONS.map { section(source, it) }).joinToString("\n\n") + "\n\nmain \"\$@\"\n"

/** From the line `# --- name ---…` to the next such line, or to the call of main. */
private fun section(source: String, name: String): String {
    val lines = source.lines()
    val begin = lines.indexOfFirst { it.startsWith("# --- $name ---") }
    check(begin >= 0) { "the launcher has no section \"$name\"" }
    val end = (begin + 1 until lines.size).first { lines[it].startsWith("# --- ") || lines[it].startsWith("main ") }
    return lines.subList(begin, end).joinToString("\n").trimEnd()
}

private val SECTIONS = listOf("words", "where we are", "which Java", "the program")

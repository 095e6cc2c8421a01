package threadgauge.checks

/** Links of a Markdown file to files of the project that are not there. Addresses on the web are not visited. */
internal fun deadLinks(file: ProjectFile, exists: (String) -> Boolean): List<String> =
    LINK.findAll(file.text.replace(CODE_BLOCK, "")).map { it.groupValues[1] }
        .filterNot { "://" in it || it.startsWith("#") || it.startsWith("mailto:") }
        .filterNot { exists(resolved(file.path, it.substringBefore('#').substringBefore('?'))) }
        .map { "${file.path}: dead link to $it" }.toList()

private fun resolved(from: String, link: String): String {
    val steps = ArrayDeque(from.split('/').dropLast(1))
    if (link.startsWith("/")) steps.clear()
    for (step in link.split('/')) when (step) {
        "", "." -> Unit
        ".." -> steps.removeLastOrNull()
        else -> steps.addLast(step)
    }
    return steps.joinToString("/")
}

private val LINK = Regex("""]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)""")
private val CODE_BLOCK = Regex("```.*?```", RegexOption.DOT_MATCHES_ALL)

package threadgauge.checks

/** A rule about the text of single files: [find] gives one line for each offence in a file that [concerns] it. */
internal class TidyRule(
    val name: String,
    val concerns: (ProjectFile) -> Boolean,
    val find: (ProjectFile) -> List<String>,
) {
    fun offences(file: ProjectFile): List<String> =
        if (concerns(file)) find(file).map { "${file.path}: $it ($name)" } else emptyList()
}

/**
 * Rules for every kind of text. Those of [KotlinForm] do not stand here again. Words that the rules forbid are put
 * together, so that this file obeys them too.
 */
internal val textRules = listOf(
    TidyRule("a line ends with a line break", { !it.isKotlin && !it.isApproved && it.text.isNotEmpty() }) { file ->
        if (file.text.endsWith("\n")) emptyList() else listOf("no line break at the end")
    },
    TidyRule("no blanks at the end of a line", { !it.isKotlin && !it.isApproved && it.extension != "xml" }) { file ->
        file.matches(Regex("[ \t]+\r?$"))
    },
    TidyRule("lines of code have at most $MAX_LINE_LENGTH characters", { it.extension in CODE }) { file ->
        file.tooLong(MAX_LINE_LENGTH)
    },
    TidyRule("nothing is left to do later", { true }) { it.matches(Regex("\\b(TO" + "DO|FIX" + "ME)\\b")) },
    TidyRule("no folder of one machine", { true }) {
        it.matches(Regex("""(?<![\w.}-])/(""" + "root|home/\\w+|Users/\\w+|work/(?:shared|main|h-\\w+))(?=/)"))
    },
    TidyRule("no host of a registry", { true }) {
        val hosts =
            listOf("repo.maven" + ".apache.org", "repo1" + ".maven.org", "oss.sona" + "type.org", "jit" + "pack.io") +
                listOf(
                    "registry.np" + "mjs.org", "py" + "pi.org", "plugins.gra" + "dle.org",
                    "maven.pkg.jet" + "brains.space",
                )
        it.matches(Regex(hosts.joinToString("|") { host -> Regex.escape(host) }))
    },
)

internal val kotlinRules = listOf(
    TidyRule("a file is one idea", { it.isKotlinMain }) { file ->
        val lines = file.text.trimEnd().lines().size
        if (lines <= MAX_FILE_LINES) emptyList() else listOf("$lines lines, more than $MAX_FILE_LINES")
    },
    TidyRule("comments have at most $MAX_COMMENT_LENGTH characters a line", { it.isKotlin }) { file ->
        file.tooLong(MAX_COMMENT_LENGTH).filter { COMMENT.containsMatchIn(it) && !ROW.containsMatchIn(it) }
    },
    TidyRule("a class is named after what it is", { it.isKotlin }) {
        it.matches(Regex("""\b(class|interface|object)\s+\w*(Utils?|Impl|Manager|Helpers?)\b"""))
    },
    TidyRule("only commands print", { it.isKotlinMain && !it.mayPrint }) {
        it.matches(Regex("""(?<![\w.])print(ln)?\(|System\.(out|err)\b"""))
    },
    TidyRule("the package is the path", { it.isKotlinMain || it.isKotlinTest }) { file ->
        val folder = file.path.substringAfter("/kotlin/").substringBeforeLast('/', "").replace('/', '.')
        val expected = "package threadgauge" + if (folder.isEmpty()) "" else ".$folder"
        val found = file.lines.firstOrNull { it.startsWith("package ") } ?: "no package"
        if (found == expected) emptyList() else listOf("$found instead of $expected")
    },
    TidyRule("tests are named Test or Contract", { it.isKotlinTest && it.hasTests }) {
        it.matches(Regex("""^(abstract |open )?class (?!\w+(Test|Contract)\b)\w+"""))
    },
    TidyRule("who decides writes no sentences", { it.decides }) { sentences(it.lines) },
    TidyRule("the bench names no module folder of a server", { it.path.startsWith("bench/src/main/kotlin/") }) { file ->
        file.matches(MODULE_FOLDER).filterNot { COMMENT.containsMatchIn(it) }
    },
    TidyRule("every public part of the model is explained", { it.path.startsWith("bench/src/main/kotlin/model/") }) {
        undocumented(it.lines)
    },
)

/** Folders of main code that are too full to be taken in at a glance. */
internal fun crowdedFolders(files: List<ProjectFile>): List<String> = files.filter { it.isKotlinMain }
    .groupBy { it.path.substringBeforeLast('/') }.filterValues { it.size > MAX_FOLDER_FILES }
    .map { (folder, inIt) -> "$folder: ${inIt.size} files, more than $MAX_FOLDER_FILES" }

/** Stacks and services are found by their `stacks.yaml`, so that a module can move without a change in the bench. */
private val MODULE_FOLDER = Regex("""(?<![\w-])(servers|tickets)/[\w$]""")

/** An offence that holds nothing but a comment. */
private val COMMENT = Regex("""^\d+: (/?\*|//)""")

/** A row of a table within a comment, which is a line by necessity. */
private val ROW = Regex("""^\d+: \* \|""")

private const val MAX_FILE_LINES = 300
private const val MAX_FOLDER_FILES = 20

/** Of what ktlint does not look at. */
private const val MAX_LINE_LENGTH = 140

/** As `max_line_length` in `.editorconfig`, which ktlint does not apply to a line that is all comment. */
private const val MAX_COMMENT_LENGTH = 120

/** Packages that return data; `wording` makes the sentences. */
private val DECIDING = listOf("judge", "knee", "map", "stats", "run", "store")

private val CODE = setOf("sh", "yaml", "yml")

private val ProjectFile.decides get() = DECIDING.any { path.startsWith("bench/src/main/kotlin/$it/") }

/** Files that a test compares with what it received: their form is the tested code's business. */
private val ProjectFile.isApproved get() = ".approved." in path || "package-lock" in path

/** The command line and the agent's main speak to whoever started them. */
private val ProjectFile.mayPrint get() = "/kotlin/cli/" in path || "/load/agent/" in path || path.endsWith("/Main.kt")

private val ProjectFile.hasTests get() = Regex("^\\s+@(Test|ParameterizedTest)", RegexOption.MULTILINE) in text

private fun ProjectFile.matches(pattern: Regex) = linesWith { pattern.containsMatchIn(it) }

private fun ProjectFile.tooLong(limit: Int) = linesWith { it.codePointCount(0, it.length) > limit }

private fun ProjectFile.linesWith(offence: (String) -> Boolean): List<String> = lines.withIndex()
    .filter { offence(it.value) }
    .map { (index, line) -> "${index + 1}: ${line.trim().take(80)}" }

/** String literals of three or more words, but for those of checks, which only developers read. */
private fun sentences(lines: List<String>): List<String> = lines.withIndex()
    .filterNot { (_, line) -> line.trimStart().startsWith("*") || line.trimStart().startsWith("/") }
    .filterNot { (index, line) -> FOR_DEVELOPERS in line || index > 0 && FOR_DEVELOPERS_BELOW in lines[index - 1] }
    .filter { (_, line) -> SENTENCE.containsMatchIn(line) }
    .map { (index, line) -> "${index + 1}: ${line.trim().take(80)}" }

private val SENTENCE = Regex(""""[^"]*[A-Za-z]{2,} [A-Za-z]+ [A-Za-z]{2,}[^"]*"""")
private val FOR_DEVELOPERS = Regex("""\b(check|checkNotNull|require|error)\b""")
private val FOR_DEVELOPERS_BELOW = Regex("""\b(check|checkNotNull|require|error)\b.*[({]$""")

private operator fun String.contains(pattern: Regex) = pattern.containsMatchIn(this)

private val DECLARATION = Regex(
    """^(data |sealed |enum |abstract |open |value |annotation |inline )*""" +
        """(class|interface|object|fun|val|var|typealias)\b.*""",
)

/** Top-level declarations that are neither private nor internal and have no KDoc above them and their annotations. */
private fun undocumented(lines: List<String>): List<String> = lines.withIndex()
    .filter { DECLARATION.matches(it.value) }
    .filterNot { (index, _) ->
        lines.take(index).asReversed().firstOrNull { !it.startsWith("@") }.orEmpty().trimEnd().endsWith("*/")
    }
    .map { (index, line) -> "${index + 1}: ${line.take(80)}" }

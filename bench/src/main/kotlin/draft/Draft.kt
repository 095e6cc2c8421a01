package threadgauge.draft

/** A first experiment file, which a person then edits. */
class Draft(
    /** In lower case with hyphens. */
    val name: String,
    val question: String,
    /** The service: its key in a stack (`command`, `jar` or `url`) with its value; null where nobody knows it yet. */
    val target: Pair<String, String>?,
    val scenarios: List<DraftScenario>,
    /** Users store cookies. */
    val keepsCookies: Boolean = false,
    /** What a reader should know, one comment each. */
    val notes: List<String> = emptyList(),
)

class DraftScenario(val name: String, val steps: List<DraftStep>)

/** A request of a scenario, or what stands in its place as a comment. */
class DraftStep(
    /** Method, blank, path with query: `GET /products?page=1`. */
    val line: String,
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    /** By name, such as `json:id`. */
    val keep: Map<String, String> = emptyMap(),
    /** Expected status, where it is none from 200 to 299. */
    val status: Int? = null,
    /** Pause after the step, in milliseconds; 0 for none. */
    val thinkMillis: Long = 0,
    /** What is still to be done about this step; it is then written as a comment. */
    val toDo: String? = null,
)

/** The text of the experiment file. */
fun Draft.text(): String = buildString {
    appendLine("# Written by Threadgauge, for you to edit. Keys: docs/guides/experiment-files.md")
    notes.forEach { appendLine("# $it") }
    appendLine("name: $name")
    appendLine("question: ${quoted(question)}")
    appendLine()
    appendLine("stacks:")
    stack(this)
    appendLine()
    appendLine("# What users do. With several scenarios, give each a weight: 70%.")
    appendLine("scenarios:")
    scenarios.forEach { scenario ->
        appendLine("  ${scenario.name}:")
        appendLine("    steps:")
        scenario.steps.forEach { step(it) }
    }
    appendLine()
    appendLine("# How many users, and for how long. {rate: 20/s, for: 60s} in its place: users who arrive.")
    appendLine("load: {users: 20, for: 20s}")
    if (keepsCookies) appendLine("connections: {cookies: yes}")
    appendLine()
    appendLine("# Fresh processes of each stack. From 3 on there are intervals.")
    appendLine("trials: 5")
    appendLine()
    appendLine("# What must hold; decides the exit code.")
    appendLine("# goals: \"p99<300ms, errors<0.1%\"")
}

private fun Draft.stack(out: StringBuilder) {
    val (key, value) = target ?: run {
        out.appendLine("  # Name the service: a command, a jar, or a URL of this machine.")
        out.appendLine("  - {name: mine, url: \"http://localhost:8080\"}")
        return
    }
    out.appendLine("  - {name: mine, $key: ${quoted(value)}}")
    if (key == "url") return
    out.appendLine("  # A second one is compared with the first: another build, or another setting.")
    out.appendLine(
        "  # - {name: virtual, $key: ${quoted(value)}, env: {SPRING_THREADS_VIRTUAL_ENABLED: \"true\"}}",
    )
}

private fun StringBuilder.step(step: DraftStep) {
    val sign = if (step.toDo == null) "" else "# "
    step.toDo?.let { appendLine("      # $it") }
    val keys = listOfNotNull(
        "send: ${quoted(step.line)}",
        step.headers.takeIf { it.isNotEmpty() }?.let { "headers: ${map(it)}" },
        step.body?.let { "body: ${quoted(it)}" },
        step.status?.let { "expect: {status: $it}" },
        step.keep.takeIf { it.isNotEmpty() }?.let { "keep: ${map(it)}" },
    )
    if (keys.size == 1) {
        appendLine("      $sign- ${if (isPlain(step.line)) step.line else quoted(step.line)}")
    } else {
        appendLine("      $sign- ${keys.first()}")
        keys.drop(1).forEach { appendLine("      $sign  $it") }
    }
    if (step.thinkMillis > 0) appendLine("      $sign- {think: ${step.thinkMillis}ms}")
}

private fun map(entries: Map<String, String>) =
    entries.entries.joinToString(", ", "{", "}") { (key, value) -> "${quoted(key)}: ${quoted(value)}" }

/** May stand in YAML as it is: nothing in it means something else. */
private fun isPlain(line: String) = PLAIN.matches(line)

private val PLAIN = Regex("[A-Z]+ /[A-Za-z0-9/._~=&?{}-]*")

/** A double-quoted scalar of YAML 1.2, section 7.3.1. */
internal fun quoted(text: String): String = buildString {
    append('"')
    for (character in text) {
        when {
            character == '"' || character == '\\' -> append('\\').append(character)
            character == '\n' -> append("\\n")
            character == '\r' -> append("\\r")
            character == '\t' -> append("\\t")
            character < ' ' || character in '\u007f'..'\u009f' || character in UNSEEN ->
                append("\\u%04x".format(character.code))
            else -> append(character)
        }
    }
    append('"')
}

/** Line and paragraph separators, and a byte-order mark. */
private val UNSEEN = setOf('\u2028', '\u2029', '\ufeff')

/** [text] as the name of an experiment or of a scenario; [otherwise] where nothing of it is left. */
internal fun nameOf(text: String, otherwise: String): String =
    text.lowercase().replace(NOT_IN_NAME, "-").trim('-').take(MAX_NAME_LENGTH).trim('-').ifEmpty { otherwise }

private val NOT_IN_NAME = Regex("[^a-z0-9]+")
private const val MAX_NAME_LENGTH = 40

package threadgauge.experiment.change

import java.nio.file.Path
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.experiment.yaml.Fields
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.TextPosition
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.choice
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.name
import threadgauge.experiment.yaml.openText
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.experiment.yaml.words
import threadgauge.experiment.yaml.yaml
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.ChangeSetting
import threadgauge.model.advice.Evidence
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.LimitedResource
import threadgauge.model.advice.SettingKind

/** The changes that come with Threadgauge. */
fun shippedChanges(): List<KnownChange> {
    val text = checkNotNull(KnownChange::class.java.getResourceAsStream("/threadgauge/$SHIPPED")) { "no $SHIPPED" }
        .use { it.readBytes().decodeToString() }
    return ParseContext(SHIPPED, text, Path.of("")).changes()
}

/**
 * The changes in [file], in its order. Throws [ExperimentMistakes] with all mistakes in it. One with the `id` of a
 * shipped change takes its place.
 */
fun readChanges(file: Path): List<KnownChange> = openText(file).changes()

/** [own] changes, and those of [shipped] that they do not replace. */
fun together(shipped: List<KnownChange>, own: List<KnownChange>): List<KnownChange> =
    shipped.filter { known -> own.none { it.id == known.id } } + own

private fun ParseContext.changes(): List<KnownChange> {
    val root = yaml()
    if (root == null || root is YamlScalar && root.isEmpty) {
        if (!hasMistakes) wrong(TextPosition(1, 1), "the file says nothing", "Begin it with changes: and a list.")
        throwMistakes()
    }
    val list = root?.let { fields(it, "a catalogue of changes", listOf("changes"), "changes: and a list") }
        ?.required("changes", "changes: [{id: larger-pool, …}]")
    val lines = HashMap<String, Int>()
    val changes = list?.let { members(it, "changes", EXAMPLE) }.orEmpty().mapNotNull { node ->
        change(node)?.also { change ->
            val before = lines.putIfAbsent(change.id, node.place.line)
            if (before != null) {
                wrong(node, "the change ${quoted(change.id)} is here twice, first on line $before", "Leave one out.")
            }
        }
    }
    throwMistakes()
    return changes
}

private fun ParseContext.change(node: YamlNode): KnownChange? {
    val fields = fields(node, "a change", KEYS, EXAMPLE) ?: return null
    val before = mistakeCount
    val id = fields.required("id", "id: larger-pool")?.let { name(it, "id") }
    val title = fields.required("title", "title: A larger pool")?.let { words(it, "title", "A larger pool", MAX_TITLE) }
    val resource = fields.required("resource", "resource: connections")?.let { choice(it, "resource", RESOURCES) }
    val effect = fields.required("effect", "effect: times 2")?.let { effect(it) }
    val source = fields.required("source", "source: https://example.org/manual")?.let { source(it) }
    val evidence = fields.optional("seen")?.let { evidence(it) } ?: Evidence()
    val usual = fields.optional("usual")?.let { wholeNumber(it, "usual", 1..MAX_SIZE) }
    val java = fields.optional("java")?.let { wholeNumber(it, "java", 8..MAX_JAVA) }
    val setting = fields.optional("set")?.let { setting(it) }
    val code = text(fields, "code")
    val note = text(fields, "note")
    if (!fields.isMeant("set") && !fields.isMeant("code")) {
        wrong(node, "this change says neither what to set nor what to do in the code", "Add a line $SET or code: …")
    }
    if (mistakeCount > before || id == null || title == null || resource == null) return null
    return KnownChange(id, title, resource, effect ?: return null, evidence, usual, java, setting, code, note,
        source ?: return null)
}

private fun ParseContext.text(fields: Fields, key: String): String? =
    fields.optional(key)?.let { words(it, key, "$key: …", MAX_TEXT) }

private fun ParseContext.effect(node: YamlNode): ChangeEffect? {
    val text = words(node, "effect", "times 2", MAX_TITLE) ?: return null
    EFFECTS[text]?.let { return it }
    val (word, number) = NUMBERED.matchEntire(text)?.destructured
        ?: return fail(node, "effect cannot be ${quoted(text)}", EFFECT_REMEDY)
    val value = number.toDouble()
    return when {
        word == "times" && value > 1 && value <= MAX_FACTOR -> ChangeEffect.Times(value)
        word == "elsewhere" && value >= 1 && value % 1.0 == 0.0 -> ChangeEffect.Elsewhere(value.toInt())
        else -> fail(node, "effect cannot be ${quoted(text)}", EFFECT_REMEDY)
    }
}

private fun ParseContext.source(node: YamlNode): String? {
    val text = words(node, "source", "https://example.org/manual", MAX_TEXT) ?: return null
    if (ADDRESS.matches(text)) return text
    return fail(node, "the source ${quoted(text)} is no address", "Write the https:// address of the documentation.")
}

private fun ParseContext.evidence(node: YamlNode): Evidence? {
    val fields = fields(node, "seen", listOf("threads", "classes", "of"), "seen: {classes: [com.zaxxer.hikari.]}")
        ?: return null
    val threads = fields.optional("threads")?.let { pattern(it, "threads") }
    val classes = fields.optional("classes")?.let { members(it, "classes", "[com.zaxxer.hikari.]") }.orEmpty()
        .mapNotNull { words(it, "the beginning of a class", "com.zaxxer.hikari.", MAX_TITLE) }
    val of = fields.optional("of")?.let { pattern(it, "of") }
    return Evidence(threads, classes, of)
}

private fun ParseContext.pattern(node: YamlNode, what: String): String? {
    val text = words(node, what, "a regular expression", MAX_TEXT) ?: return null
    val problem = runCatching { Regex(text) }.exceptionOrNull() ?: return text
    val why = problem.message?.lineSequence()?.first()
    return fail(node, "$what is no regular expression: $why", "Put a backslash before signs such as ( and [.")
}

private fun ParseContext.setting(node: YamlNode): ChangeSetting? {
    val fields = fields(node, "set", KINDS.keys.toList() + "to", SET) ?: return null
    val given = KINDS.filterKeys { it in fields }
    val (key, kind) = given.entries.singleOrNull()
        ?: return fail(node, "set needs one of ${KINDS.keys.joinToString()}, and has ${given.size}", "Write $SET")
    val name = fields.optional(key)?.let { words(it, key, "a name", MAX_TITLE) } ?: return null
    if (name.any { it == ' ' || it == '=' }) {
        return fail(fields.optional(key)!!, "the name ${quoted(name)} has a blank or a = in it", "The value is to: …")
    }
    val to = fields.optional("to") ?: return ChangeSetting(kind, name)
    val value = (to as? YamlScalar)?.text ?: return fail(to, "to must be a single value", "Write to: \"true\"")
    return ChangeSetting(kind, name, value)
}

private const val SHIPPED = "changes.yaml"
private val KEYS = listOf(
    "id", "title", "resource", "seen", "effect", "usual", "java", "set", "code", "note", "source",
)
private val RESOURCES = LimitedResource.entries
    .filter { it !in setOf(LimitedResource.USERS, LimitedResource.ARRIVALS, LimitedResource.PROCESSOR) }
    .associateBy { it.name.lowercase().replace('_', ' ') }
private val KINDS = SettingKind.entries.associateBy { it.name.lowercase() }
private val EFFECTS =
    mapOf("no limit" to ChangeEffect.NoLimit, "gone" to ChangeEffect.Gone, "unknown" to ChangeEffect.Unknown)
private val NUMBERED = Regex("(times|elsewhere) (\\d{1,6}(?:\\.\\d{1,3})?)")
private val ADDRESS = Regex("https?://[^\\s/]+\\.[^\\s/]+(/\\S*)?")
private const val EFFECT_REMEDY =
    "Write times 2, no limit, elsewhere 64 (that many threads of another pool), gone, or unknown."
private const val SET = "set: {spring: server.tomcat.threads.max}"
private const val EXAMPLE =
    "- {id: larger-pool, title: A larger pool, resource: connections, effect: times 2, $SET, source: https://…}"
private const val MAX_TITLE = 200
private const val MAX_TEXT = 500
private const val MAX_SIZE = 10_000_000
private const val MAX_JAVA = 200
private const val MAX_FACTOR = 100.0

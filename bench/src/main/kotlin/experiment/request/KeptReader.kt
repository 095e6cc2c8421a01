package threadgauge.experiment.request

import java.util.regex.PatternSyntaxException
import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlError
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.model.request.Kept

/** Reads `keep` of a step: names with where their values are, such as `{cart: "json:id"}`. */
internal fun ParseContext.kept(node: YamlNode): Map<String, Kept>? {
    if (node is YamlError) return null
    if (node !is YamlMap) return fail(node, "keep needs names with places, and this is ${node.kind}", REMEDY)
    val found = LinkedHashMap<String, Kept>()
    for ((key, value) in node.entries) {
        if (!NAME.matches(key.text) || key.text in RESERVED) {
            wrong(key, "${quoted(key.text)} cannot be the name of a kept value", "Write letters and digits: cart.")
            continue
        }
        place(value)?.let { found[key.text] = it }
    }
    return found
}

private fun ParseContext.place(node: YamlNode): Kept? {
    val text = scalar(node, "keep", "json:id") ?: return null
    val kind = text.substringBefore(':', "").trim()
    val what = text.substringAfter(':', "").trim()
    if (kind !in KINDS) return fail(node, "${quoted(text)} does not say where a value is", REMEDY)
    if (what.isEmpty()) return fail(node, "${quoted(text)} names nothing", REMEDY)
    return when (kind) {
        "json" -> jsonPath(YamlScalar(node.place, what, quoted = true), "keep")?.let(Kept::Json)
        "header" -> Kept.Header(what)
        "cookie" -> Kept.Cookie(what)
        else -> pattern(node, what)
    }
}

private fun ParseContext.pattern(node: YamlNode, regex: String): Kept? = try {
    Regex(regex)
    Kept.Pattern(regex)
} catch (broken: PatternSyntaxException) {
    fail(node, "${quoted(regex)} is not a regular expression: ${broken.description}", "Mend it, or write json:id.")
}

private val NAME = Regex("[A-Za-z][A-Za-z0-9_-]{0,59}")
private val RESERVED = setOf("seq", "event", "random", "csv")
private val KINDS = setOf("json", "header", "cookie", "pattern")
private const val REMEDY =
    "Write json:id, header:X-Token, cookie:session or pattern:\"name=\\\"token\\\" value=\\\"([^\\\"]+)\\\"\"."

package threadgauge.experiment.request

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.YamlError
import threadgauge.experiment.yaml.YamlMap
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.isUnprintable
import threadgauge.experiment.yaml.members
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.wholeNumber
import threadgauge.model.request.Expectation

/** Reads the conditions of a correct answer, such as `{status: 201, json: {seat.state: granted}}`. */
internal fun ParseContext.expectation(node: YamlNode): Expectation? {
    val known = listOf("status", "body", "contains", "json", "messages")
    val fields = fields(node, "expect", known, EXAMPLE) ?: return null
    val statuses = fields.optional("status")?.let { statuses(it) }
    val body = fields.optional("body")?.let { text(it, "body", "the whole body, in quotes") }
    val contains = fields.optional("contains")?.let { scalar(it, "contains", "a part of the body, in quotes") }
    val json = fields.optional("json")?.let { jsonValues(it) }
    if (body != null && contains != null && contains !in body) {
        val remedy = "No answer could be correct; leave one out."
        wrong(fields.optional("contains")!!, "the body that is expected does not contain this", remedy)
    }
    val messages = fields.optional("messages")?.let { wholeNumber(it, "messages", 1..MAX_MESSAGES) }
    return Expectation(statuses.orEmpty(), body, contains, json.orEmpty(), messages)
}

private fun ParseContext.statuses(node: YamlNode): List<Int> {
    val statuses = LinkedHashSet<Int>()
    for (member in members(node, "status", "201, or [201, 409]").orEmpty()) {
        val status = wholeNumber(member, "status", STATUSES) ?: continue
        if (!statuses.add(status)) wrong(member, "the status $status is named twice", "Leave one out.")
    }
    return statuses.toList()
}

private fun ParseContext.jsonValues(node: YamlNode): Map<String, String>? {
    if (node is YamlError) return null
    if (node !is YamlMap) return fail(node, "json needs fields with values, and this is ${node.kind}", JSON_REMEDY)
    val values = LinkedHashMap<String, String>()
    for ((key, value) in node.entries) {
        val path = jsonPath(key, "a field")
        // `null` is a JSON value, and so is the empty text.
        val text = if (value is YamlScalar && (value.quoted || value.text == "null")) {
            value.text
        } else {
            scalar(value, "a field", "its value")
        }
        if (path != null && text != null) values[path] = text
    }
    return values
}

/** Path of a field in a JSON text: names, or list indices from 0, separated by dots. */
internal fun ParseContext.jsonPath(node: YamlNode, what: String): String? {
    val path = scalar(node, what, "the path of a field, such as seat.state") ?: return null
    val isPrintable = path.codePoints().noneMatch(::isUnprintable)
    if (path.length <= MAX_PATH_LENGTH && path.split('.').none { it.isBlank() } && isPrintable) return path
    return fail(
        node, "${quoted(path)} is not the path of a field", "Write names with dots between them, such as seat.state.",
    )
}

private const val MAX_MESSAGES = 1_000_000
private const val EXAMPLE = "{status: 201}, {contains: granted} or {json: {seat.state: granted}}"
private const val JSON_REMEDY = "Write {seat.state: granted}."

/** Statuses below 200 are interim responses. */
private val STATUSES = 200..599
private const val MAX_PATH_LENGTH = 200

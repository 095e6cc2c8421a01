package threadgauge.experiment.target

import threadgauge.experiment.yaml.ParseContext
import threadgauge.experiment.yaml.Quantity
import threadgauge.experiment.yaml.YamlNode
import threadgauge.experiment.yaml.YamlScalar
import threadgauge.experiment.yaml.fail
import threadgauge.experiment.yaml.fields
import threadgauge.experiment.yaml.nanos
import threadgauge.experiment.yaml.quantity
import threadgauge.experiment.yaml.quoted
import threadgauge.experiment.yaml.scalar
import threadgauge.experiment.yaml.text
import threadgauge.experiment.yaml.words

/** Reads how a stand-in for a backend answers, as options of its program. */
internal fun ParseContext.standIn(node: YamlNode): List<String>? {
    val fields = fields(node, "a stand-in", listOf("delay", "errors", "body", "type"), EXAMPLE) ?: return null
    val before = mistakeCount
    val delay = fields.required("delay", "delay: 80ms")?.let { delay(it) }
    val errors = fields.optional("errors")?.let { quantity(it, "errors", Quantity.percent, "0%", "100%") }
    val body = fields.optional("body")?.let { text(it, "body", "the answer in quotes") }
    val type = fields.optional("type")?.let { words(it, "type", "application/json", MAX_TYPE_LENGTH) }
    if (body != null && body.length > MAX_BODY_LENGTH) {
        wrong(fields.optional("body")!!, "the body is longer than $MAX_BODY_LENGTH characters", "Send less.")
    }
    if (mistakeCount > before || delay == null) return null
    return listOfNotNull(
        "--delay=$delay",
        errors?.let { "--errors=${it.toBigDecimal().toPlainString()}" },
        body?.let { "--body=$it" },
        type?.let { "--type=$it" },
    )
}

/** `80ms`, or `80ms..120ms` for anything between the two, in whole milliseconds: "80" or "80..120". */
private fun ParseContext.delay(node: YamlNode): String? {
    val text = scalar(node, "delay", DELAY_EXAMPLE) ?: return null
    val ends = text.split("..")
    if (ends.size > 2) return fail(node, "${quoted(text)} is not a delay", "Write $DELAY_EXAMPLE.")
    val millis = ends.map { end ->
        val nanos = nanos(YamlScalar(node.place, end, quoted = true), "delay", "0ms", "1m") ?: return null
        nanos / NANOS_PER_MILLI
    }
    if (millis.first() > millis.last()) {
        return fail(node, "delay: ${quoted(text)} ends before it begins", "Write ${ends[1]}..${ends[0]}.")
    }
    return millis.joinToString("..")
}

private const val EXAMPLE = "upstream: {delay: 80ms, errors: 1%}"
private const val DELAY_EXAMPLE = "80ms, or 80ms..120ms for anything between the two"
private const val NANOS_PER_MILLI = 1_000_000
private const val MAX_TYPE_LENGTH = 100

/** It is an argument of a program. */
private const val MAX_BODY_LENGTH = 10_000

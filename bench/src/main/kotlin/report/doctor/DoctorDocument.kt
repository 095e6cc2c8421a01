package threadgauge.report.doctor

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement
import threadgauge.model.Checkup
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.Precision
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.json.besides
import threadgauge.report.json.changing
import threadgauge.report.json.with
import threadgauge.wording.machine.assumptions
import threadgauge.wording.machine.command
import threadgauge.wording.machine.remedy
import threadgauge.wording.machine.seen
import threadgauge.wording.machine.why
import threadgauge.wording.machine.words

/**
 * The check-up and its diagnosis as JSON. Units are in the names. An unknown value is `null` and never left out.
 */
@Serializable
data class DoctorDocument(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = 2,
    val checkup: Checkup,
    val diagnosis: Diagnosis,
)

/** One JSON document with a newline at its end, for `doctor --json`. Sentences stand beside the data. */
fun doctorJson(checkup: Checkup, diagnosis: Diagnosis): String {
    val data = DoctorDocument(checkup = checkup, diagnosis = diagnosis)
    val plain = DOCUMENT_FORMAT.encodeToJsonElement(DoctorDocument.serializer(), data)
    val document = plain.changing("diagnosis") { found ->
        found.changing("findings") { findings -> findings.besides(diagnosis.findings) { worded(it) } }
            .changing("precision") { data -> diagnosis.precision?.let { data.worded(it) } ?: data }
    }
    return DOCUMENT_FORMAT.encodeToString(JsonElement.serializer(), document) + "\n"
}

private fun JsonElement.worded(finding: Finding): JsonElement = with(
    "seen" to finding.seen(), "why" to finding.id.why(), "remedy" to finding.remedy(), "command" to finding.command(),
)

private fun JsonElement.worded(precision: Precision): JsonElement =
    with("words" to precision.words(), "assumptions" to precision.assumptions())

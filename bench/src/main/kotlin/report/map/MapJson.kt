package threadgauge.report.map

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.json.changing
import threadgauge.report.json.with
import threadgauge.wording.failure.reason
import threadgauge.wording.map.findings
import threadgauge.wording.map.methodWords

/** The result of a map as JSON: the judgement and the environment. Units are in the names. */
@Serializable
data class MapJson(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = 1,
    val startedAt: String,
    val endedAt: String?,
    val stateReason: String?,
    val machine: Environment,
    val judgement: MapJudgement,
)

/** One JSON document with a newline at its end. Sentences are `findings` and `method` beside the data. */
fun mapJson(record: Record, judgement: MapJudgement): String {
    val data = MapJson(
        startedAt = record.startedAt,
        endedAt = record.endedAt,
        stateReason = record.reason(),
        machine = record.environment,
        judgement = judgement,
    )
    val document = DOCUMENT_FORMAT.encodeToJsonElement(MapJson.serializer(), data).changing("judgement") {
        it.with("method" to judgement.methodWords()).withFindings(judgement)
    }
    return DOCUMENT_FORMAT.encodeToString(JsonElement.serializer(), document) + "\n"
}

private fun JsonElement.withFindings(judgement: MapJudgement): JsonElement =
    JsonObject(jsonObject + ("findings" to JsonArray(judgement.findings().map(::JsonPrimitive))))

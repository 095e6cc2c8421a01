package threadgauge.report.json

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import threadgauge.model.judgement.ClaimJudgement
import threadgauge.wording.claim.words

/** These claims as they stand in a document, each with its words and those of its checks beside the data. */
internal fun JsonElement.withWords(claims: List<ClaimJudgement>) = JsonArray(
    jsonArray.zip(claims) { element, claim ->
        val checks = element.jsonObject.getValue("checks").jsonArray
        val worded = JsonArray(checks.zip(claim.checks) { check, judged -> check.withWords(judged.words()) })
        JsonObject(element.withWords(claim.words()) + ("checks" to worded))
    },
)

private fun JsonElement.withWords(words: String) = JsonObject(mapOf("words" to JsonPrimitive(words)) + jsonObject)

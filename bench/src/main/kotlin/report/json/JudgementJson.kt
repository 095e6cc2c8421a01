package threadgauge.report.json

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.LoadRange
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.ranking
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.doubt.source
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.load
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.verdict.words
import threadgauge.wording.words

/** The judgement as data, with its sentences beside: a reader of the document need not make them itself. */
internal fun Json.withWords(judgement: Judgement): JsonObject {
    val plain = encodeToJsonElement(Judgement.serializer(), judgement).jsonObject
    return plain.plus(
        "answer" to judgement.answer.toJson(),
        "situations" to plain.list("situations", judgement.situations) { situation, json -> situationJson(situation, json) },
        "doubts" to plain.list("doubts", judgement.doubts, ::doubtJson),
        "ranges" to plain.list("ranges", judgement.ranges, ::rangeJson),
        "claims" to plain.getValue("claims").withWords(judgement.claims),
    )
}

/** A list of doubts as data, with their sentences beside. */
internal fun Json.withWords(doubts: List<Doubt>): JsonArray =
    JsonArray(doubts.map { doubtJson(it, encodeToJsonElement(Doubt.serializer(), it).jsonObject) })

private fun situationJson(judged: SituationJudgement, json: JsonObject): JsonObject = json.plus(
    "verdict" to json.getValue("verdict").jsonObject.plus(
        "stacks" to judged.verdict.ranking?.leaders.orEmpty().toJson(),
        "words" to JsonPrimitive(judged.verdictWords()),
    ),
    "cells" to json.list("cells", judged.cells, ::cellJson),
)

private fun cellJson(cell: CellJudgement, json: JsonObject): JsonObject = json.plus(
    "doubts" to json.list("doubts", cell.doubts, ::doubtJson),
    "ceilings" to json.list("ceilings", cell.ceilings) { ceiling, its -> its.plus("words" to JsonPrimitive(ceiling.words)) },
)

private fun rangeJson(range: LoadRange, json: JsonObject): JsonObject = json.plus(
    "steps" to json.list("steps", range.steps) { step, its -> its.plus("load" to JsonPrimitive(step.load)) },
    "words" to JsonPrimitive(range.words),
)

private fun doubtJson(doubt: Doubt, json: JsonObject): JsonObject = json.plus(
    "seen" to JsonPrimitive(doubt.seen),
    "remedy" to JsonPrimitive(doubt.remedy),
    "source" to JsonPrimitive(doubt.source),
)

/** The list at [key], whose elements are those of [data] in the same order, each completed by [complete]. */
internal fun <T> JsonObject.list(key: String, data: List<T>, complete: (T, JsonObject) -> JsonElement): JsonArray =
    JsonArray(data.zip(getValue(key).jsonArray) { each, json -> complete(each, json.jsonObject) })

internal fun JsonObject.plus(vararg more: Pair<String, JsonElement>): JsonObject = JsonObject(this + more)

private fun List<String>.toJson() = JsonArray(map(::JsonPrimitive))

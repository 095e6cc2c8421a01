package threadgauge.report.json

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.LoadRange
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.ranking
import threadgauge.wording.cause.label
import threadgauge.wording.cause.note
import threadgauge.wording.cause.words
import threadgauge.wording.claim.words
import threadgauge.wording.doubt.words
import threadgauge.wording.goal.words
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.load
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.verdict.words
import threadgauge.wording.words

/** The judgement as data, with its sentences. */
internal fun Json.withWords(judgement: Judgement): JsonObject =
    encodeToJsonElement(Judgement.serializer(), judgement)
        .changing("situations") { all -> all.besides(judgement.situations) { worded(it) } }
        .changing("doubts") { all -> all.worded(judgement.doubts) }
        .changing("causes") { all -> all.besides(judgement.causes) { with("words" to it.words()) } }
        .changing("ranges") { all -> all.besides(judgement.ranges) { worded(it) } }
        .changing("claims") { all -> all.besides(judgement.claims) { worded(it) } }
        .changing("goals") { all -> all.besides(judgement.goals) { with("words" to it.words()) } }
        .changing("advice") { all -> all.besides(judgement.advice) { worded(it) } }
        .changing("proofs") { all -> all.besides(judgement.proofs) { worded(it) } }
        .withList("answer", judgement.answer)

private fun JsonElement.worded(judged: SituationJudgement): JsonElement = this
    .changing("verdict") {
        it.withList("stacks", judged.verdict.ranking?.leaders.orEmpty()).with("words" to judged.verdictWords())
    }
    .changing("cells") { cells -> cells.besides(judged.cells) { worded(it) } }

private fun JsonElement.worded(cell: CellJudgement): JsonElement = this
    .changing("doubts") { it.worded(cell.doubts) }
    .changing("ceilings") { all -> all.besides(cell.ceilings) { with("words" to it.words) } }
    .changing("because") { element -> cell.because?.let { element.worded(it) } ?: element }

private fun JsonElement.worded(because: Because): JsonElement = this
    .changing("split") { parts -> parts.besides(because.split) { with("words" to it.kind.label) } }
    .changing("roles") { groups -> groups.besides(because.roles) { with("words" to it.role.words) } }
    .with("words" to because.words, "note" to because.note())

private fun JsonElement.worded(range: LoadRange): JsonElement =
    changing("steps") { steps -> steps.besides(range.steps) { with("load" to it.load) } }.with("words" to range.words)

private fun JsonElement.worded(claim: ClaimJudgement): JsonElement =
    changing("checks") { checks -> checks.besides(claim.checks) { with("words" to it.words()) } }
        .with("words" to claim.words())

private fun JsonElement.withList(name: String, texts: List<String>): JsonObject =
    JsonObject(jsonObject + (name to JsonArray(texts.map(::JsonPrimitive))))

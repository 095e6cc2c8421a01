package threadgauge.report.json

import kotlinx.serialization.json.JsonElement
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.wording.advice.equation
import threadgauge.wording.advice.expectation
import threadgauge.wording.advice.how
import threadgauge.wording.advice.measuredWords
import threadgauge.wording.advice.predictedWords
import threadgauge.wording.advice.verdictWords
import threadgauge.wording.advice.words

/** Advice as data, with its sentences. */
internal fun JsonElement.worded(advice: Advice): JsonElement = this
    .changing("limits") { all -> all.besides(advice.limits) { with("words" to it.equation()) } }
    .changing("changes") { all ->
        all.besides(advice.changes) { with("how" to it.how(), "words" to it.expectation()) }
    }
    .with("words" to advice.words())

internal fun JsonElement.worded(proof: ProvenChange): JsonElement =
    with(
        "predicted" to proof.predictedWords(), "measuredWords" to proof.measuredWords(),
        "words" to proof.verdictWords(),
    )

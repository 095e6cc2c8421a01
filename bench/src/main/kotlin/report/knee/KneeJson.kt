package threadgauge.report.knee

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.KneeComparison
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneesJudgement
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.json.besides
import threadgauge.report.json.changing
import threadgauge.report.json.with
import threadgauge.report.json.worded
import threadgauge.wording.failure.reason
import threadgauge.wording.knee.words

/** The result of a search as JSON: the judgement and the environment. Units are in the names. */
@Serializable
data class KneeJson(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = 2,
    val startedAt: String,
    val endedAt: String?,
    val stateReason: String?,
    val machine: Environment,
    val processes: List<KneeProcess>,
    /** Of the first target. */
    val judgement: KneeJudgement,
    /** Of the targets beside it, in the order in which they were asked for. */
    val others: List<KneeJudgement>,
    /** The first target with each other. */
    val comparisons: List<KneeComparison>,
)

/** One process, without its probes: those are in the judgement. */
@Serializable
data class KneeProcess(
    val stack: String,
    val number: Int,
    val state: String,
    val stateReason: String?,
    val command: List<String>,
    val log: String,
)

/** One JSON document with a newline at its end. Sentences are `words` beside the data. */
fun kneeJson(record: Record, judgement: KneesJudgement): String {
    val others = judgement.targets.drop(1)
    val data = KneeJson(
        startedAt = record.startedAt,
        endedAt = record.endedAt,
        stateReason = record.reason(),
        machine = record.environment,
        processes = record.trials.map(::process),
        judgement = judgement.targets.first(),
        others = others,
        comparisons = judgement.comparisons,
    )
    val document = DOCUMENT_FORMAT.encodeToJsonElement(KneeJson.serializer(), data)
        .changing("judgement") { it.worded(judgement.targets.first()) }
        .changing("others") { all -> all.besides(others) { worded(it) } }
        .changing("comparisons") { all -> all.besides(judgement.comparisons) { with("words" to it.words()) } }
    return DOCUMENT_FORMAT.encodeToString(JsonElement.serializer(), document) + "\n"
}

private fun JsonElement.worded(judgement: KneeJudgement): JsonElement = with("words" to judgement.words())
    .changing("doubts") { it.worded(judgement.doubts) }
    .changing("probes") { probes -> probes.besides(judgement.probes) { worded(it) } }
    .changing("scalability") { law -> judgement.scalability?.let { law.with("words" to it.words()) } ?: JsonNull }
    .changing("sizing") { sizing -> judgement.sizing?.let { sizing.with("words" to it.words()) } ?: JsonNull }

private fun JsonElement.worded(probe: JudgedProbe): JsonElement =
    changing("reasons") { reasons -> reasons.besides(probe.reasons) { with("words" to it.words()) } }
        .changing("notes") { notes -> notes.besides(probe.notes) { with("words" to it.words()) } }

private fun process(trial: Trial) =
    KneeProcess(trial.stack, trial.number, trial.state.name, trial.reason(), trial.command, trial.log)

package threadgauge.report.json

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonObject
import threadgauge.model.Environment
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.judgement.Judgement
import threadgauge.report.format.ReportContext
import threadgauge.report.html.section.Answers
import threadgauge.report.html.section.LedgerSummary
import threadgauge.report.html.section.Streams
import threadgauge.report.html.section.answers
import threadgauge.report.html.section.ledgerSummaries
import threadgauge.report.html.section.streams
import threadgauge.wording.failure.reason

/**
 * The result as JSON: the judgement as data and in words, with the facts of the record that a quotation needs. Units
 * are in the names. A value that was not measured is `null` and never left out.
 */
@Serializable
data class JsonReport(
    /** Version of the format; incremented when a reader of an older version would misread a newer one. */
    val schema: Int = 3,
    val record: String,
    val state: RunState,
    val stateReason: String?,
    val startedAt: String,
    val endedAt: String?,
    val quick: Boolean,
    val seed: Long,
    val trials: Int,
    /** Smallest difference that counts, as a share: 0.03 means 3 %. */
    val margin: Double,
    val machine: Environment,
    /** Trials that ended early. */
    val failedTrials: List<FailedTrial>,
    /** Of every cell that was measured. */
    val answers: List<Answers>,
    /** Of every cell whose answers are streams. */
    val streams: List<Streams>,
    /** Of every cell in which something was sold. */
    @SerialName("books") val ledgers: List<LedgerSummary>,
    /** Data and sentences: see [withWords]. */
    val judgement: JsonObject,
)

@Serializable
data class FailedTrial(val stack: String, val trial: Int, val reason: String?, val log: String)

/** One JSON document with a newline at its end, for `--json`. */
fun jsonReport(record: Record, judgement: Judgement): String {
    val subject = ReportContext(record, judgement)
    val document = JsonReport(
        record = record.id,
        state = record.state,
        stateReason = record.reason(),
        startedAt = record.startedAt,
        endedAt = record.endedAt,
        quick = record.plan.quick,
        seed = record.plan.seed,
        trials = record.plan.experiment.trials,
        margin = record.plan.experiment.margin,
        machine = record.environment,
        failedTrials = subject.troubled.map { FailedTrial(it.stack, it.number, it.reason(), it.log) },
        answers = judgement.situations.flatMap { judged ->
            judged.cells.mapNotNull { subject.answers(it.stack, judged.situation.name) }
        },
        streams = judgement.situations.flatMap { subject.streams(it) },
        ledgers = judgement.situations.flatMap { subject.ledgerSummaries(it) },
        judgement = DOCUMENT_FORMAT.withWords(judgement.withoutTables()),
    )
    return DOCUMENT_FORMAT.encodeToString(JsonReport.serializer(), document) + "\n"
}

/** Without the values of CSV files, which can be megabytes; the record has them. */
private fun Judgement.withoutTables() = copy(
    situations = situations.map { judged ->
        judged.copy(situation = judged.situation.copy(request = judged.situation.request.copy(csv = emptyMap())))
    },
)

package threadgauge.judge.history

import java.security.MessageDigest
import kotlinx.serialization.json.Json
import threadgauge.judge.figure
import threadgauge.judge.scenario.figure
import threadgauge.judge.scenario.stepNames
import threadgauge.model.Record
import threadgauge.model.RunSummary
import threadgauge.model.Situation
import threadgauge.model.SummarisedCell
import threadgauge.model.SummarisedFigure
import threadgauge.model.SummarisedSituation
import threadgauge.model.SummarisedStep
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Trust
import threadgauge.model.judgement.compare.gate

/** The summary of [record]; [judgement] is null where it compares no situations. */
fun summaryOf(record: Record, judgement: Judgement?): RunSummary = RunSummary(
    id = record.id,
    experiment = record.plan.experiment.name,
    question = record.plan.experiment.question,
    savedAs = record.plan.savedAs,
    startedAt = record.startedAt,
    state = record.state,
    isKnee = record.plan.knee != null,
    isMap = record.plan.map != null,
    gate = judgement?.gate,
    cpu = record.environment.cpu,
    cores = record.environment.cores,
    java = record.trials.firstNotNullOfOrNull { it.runtime?.java } ?: record.environment.java,
    kernel = record.environment.kernel,
    threadgauge = record.environment.threadgauge,
    agentPerSecond = record.environment.agentCeiling?.requestsPerSecond,
    stacks = record.plan.stacks.map { it.name },
    situations = judgement?.let { judged -> Trust(judged).let { judged.situations.map { one -> summarised(one, it) } } }
        .orEmpty(),
)

private fun summarised(judged: SituationJudgement, trust: Trust) = SummarisedSituation(
    judged.situation.name,
    judged.situation.words,
    fingerprint(judged.situation),
    judged.cells.filter { it.trials > 0 }.map { cell ->
        SummarisedCell(
            cell.stack, trust.of(judged.situation.name, cell), figures { cell.figure(it) },
            cell.scenarios.stepNames.map { step -> SummarisedStep(step, figures { cell.scenarios.figure(step, it) }) },
        )
    },
)

private fun figures(figure: (Compared) -> Figure?): Map<Compared, SummarisedFigure> =
    Compared.entries.mapNotNull { of ->
        figure(of)?.let { of to SummarisedFigure(it.value, it.low, it.high) }
    }.toMap()

/** Of what `compare` compares: request, load and connections. */
private fun fingerprint(situation: Situation): String {
    val asked = situation.copy(name = "", words = "")
    val digest = MessageDigest.getInstance("SHA-256")
        .digest(Json.encodeToString(Situation.serializer(), asked).toByteArray())
    return digest.take(FINGERPRINT_BYTES).joinToString("") { "%02x".format(it) }
}

private const val FINGERPRINT_BYTES = 16

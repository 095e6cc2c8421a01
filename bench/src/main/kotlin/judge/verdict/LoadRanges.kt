package threadgauge.judge.verdict

import threadgauge.model.amount
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.LoadRange
import threadgauge.model.judgement.LoadStep
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.StepOutcome
import threadgauge.model.judgement.Verdict
import threadgauge.model.unit

/**
 * For each request with two or more loads of one kind: over which loads a verdict holds, and between which it changes.
 * Loads in between were not measured.
 */
internal fun loadRanges(situations: List<SituationJudgement>): List<LoadRange> =
    situations.filter { it.situation.load.amount != null }
        .groupBy { listOf(it.situation.request, it.situation.connections.protocol, it.situation.load::class) }.values
        .map { group -> group.distinctBy { it.situation.load.amount } }
        .filter { it.size > 1 }
        .filter { it.none { judged -> judged.verdict is Verdict.Alone || judged.verdict is Verdict.BesideBaselines } }
        .map { group -> loadRange(group.sortedBy { it.situation.load.amount }) }

private fun loadRange(group: List<SituationJudgement>): LoadRange {
    val steps = group.map {
        LoadStep(it.situation.name, it.situation.load.unit, it.situation.load.amount!!, outcome(it), leaders(it))
    }
    // Next to *cannot tell* a change is unknown.
    val turns = (1..steps.lastIndex).filter { at ->
        val (before, after) = steps[at - 1] to steps[at]
        !after.saysTheSameAs(before) && before.outcome.isConclusive && after.outcome.isConclusive
    }
    val request = group.first().situation.request
    return LoadRange(request.method, request.path, steps, turns)
}

private fun outcome(judged: SituationJudgement): StepOutcome = when (judged.verdict) {
    is Verdict.Fits ->
        if (judged.decidedBy == Compared.THROUGHPUT) StepOutcome.HIGHEST_THROUGHPUT else StepOutcome.LOWEST_LATENCY
    is Verdict.NoDifference -> StepOutcome.NO_DIFFERENCE
    is Verdict.DecidedBySetting -> StepOutcome.SETTING_DECIDES
    is Verdict.CannotTell -> StepOutcome.CANNOT_TELL
    is Verdict.Indicative -> StepOutcome.TOO_FEW_TRIALS
    is Verdict.BesideBaselines, is Verdict.Alone -> error("a range is made of verdicts between stacks")
}

private fun leaders(judged: SituationJudgement): List<String> = when (val verdict = judged.verdict) {
    is Verdict.Fits -> verdict.stacks
    is Verdict.DecidedBySetting -> verdict.stacks
    is Verdict.NoDifference -> judged.cells.map { it.stack }
    is Verdict.CannotTell, is Verdict.BesideBaselines, is Verdict.Alone, is Verdict.Indicative -> emptyList()
}

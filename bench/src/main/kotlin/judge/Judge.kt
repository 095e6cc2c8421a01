package threadgauge.judge

import threadgauge.judge.advice.adviceOf
import threadgauge.judge.advice.proofsOf
import threadgauge.judge.claim.judgeClaims
import threadgauge.judge.compare.comparePairs
import threadgauge.judge.doubt.doubtCauses
import threadgauge.judge.doubt.doubtsOf
import threadgauge.judge.doubt.fewestPlanned
import threadgauge.judge.goal.judgeGoals
import threadgauge.judge.progress.Sureness
import threadgauge.judge.verdict.cheapest
import threadgauge.judge.verdict.failing
import threadgauge.judge.verdict.loadRanges
import threadgauge.judge.verdict.rank
import threadgauge.judge.verdict.verdict
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.stats.MIN_TRIALS

/**
 * The judgement of [record]: figures with intervals, doubts, and a verdict for each situation. A pure function of the
 * record.
 */
fun judge(record: Record): Judgement {
    val cells = judgeCells(record)
    val confidence = Sureness.of(record)::of
    val situations = cells.map { (situation, its) -> judgeSituation(record, situation, its, confidence) }
    val doubts = doubtsOf(record)
    return Judgement(
        recordId = record.id,
        question = record.plan.experiment.question,
        state = record.state,
        indicative = situations.all { it.verdict is Verdict.Indicative } || fewestPlanned(record) < MIN_TRIALS,
        situations = situations,
        doubts = doubts,
        causes = doubtCauses(situations, doubts, record.environment),
        ranges = loadRanges(situations),
        source = record.plan.experiment.source,
        claims = judgeClaims(record, cells.mapKeys { it.key.name }),
        goals = judgeGoals(record, situations),
        advice = adviceOf(record, situations),
        proofs = proofsOf(record, situations),
    )
}

/** All cells of [record] by their situation, in the order of the plan. */
internal fun judgeCells(record: Record): Map<Situation, List<JudgedCell>> =
    record.plan.experiment.situations.associateWith { situation ->
        record.plan.stacks.map { judgeCell(record, it, situation) }
    }

private fun judgeSituation(
    record: Record,
    situation: Situation,
    cells: List<JudgedCell>,
    confidence: (Int) -> Double,
): SituationJudgement {
    val margin = record.plan.experiment.margin
    val baselines = record.plan.experiment.baselines
    val judged = cells.map { it.cell }
    val fit = cells.filter { it.isFit }.map { it.cell }
    val by = if (fit.size > 1 && cells.filter { it.isFit }.all { it.keepsUp }) Compared.P99 else Compared.THROUGHPUT
    val pairs = Compared.entries.associateWith { comparePairs(cells, margin, it, baselines, confidence) }
    val ranking = if (fit.isEmpty()) null else rank(fit, by, pairs.getValue(by))
    val ranked = ranking?.order.orEmpty().map { stack -> fit.first { it.stack == stack } }
    return SituationJudgement(
        situation = situation,
        verdict = verdict(ranking, cells.size, fit.minOfOrNull { it.trials } ?: 0, baselines.values),
        cells = judged,
        comparisons = pairs.getValue(Compared.THROUGHPUT),
        otherComparisons = pairs.filterKeys { it != Compared.THROUGHPUT }.values.flatten(),
        decidedBy = by,
        margin = margin,
        failing = failing(judged),
        leastCpu = cheapest(ranked, Compared.CPU, pairs.getValue(Compared.CPU)),
        leastMemory = cheapest(ranked, Compared.MEMORY, pairs.getValue(Compared.MEMORY)),
    )
}

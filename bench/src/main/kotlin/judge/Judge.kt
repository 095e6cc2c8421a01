package threadgauge.judge

import threadgauge.judge.claim.judgeClaims
import threadgauge.judge.compare.comparePairs
import threadgauge.judge.doubt.doubtsOf
import threadgauge.judge.doubt.fewestPlanned
import threadgauge.judge.verdict.BesideBaselines
import threadgauge.judge.verdict.Ranking
import threadgauge.judge.verdict.VerdictMaker
import threadgauge.judge.verdict.failuresOf
import threadgauge.judge.verdict.headline
import threadgauge.judge.verdict.loadRanges
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.stats.MIN_TRIALS

/** What [record] means: figures with intervals, doubts, and a verdict for each situation. A pure function of the record. */
fun judge(record: Record): Judgement {
    val cells = record.plan.experiment.situations.associateWith { situation ->
        record.plan.stacks.map { judgeCell(record, it, situation) }
    }
    val judged = cells.map { (situation, its) -> judgeSituation(record, situation, its) }
    val situations = judged.map { it.first }
    return Judgement(
        recordId = record.id,
        question = record.plan.experiment.question,
        state = record.state,
        indicative = situations.all { it.verdict is Verdict.Indicative } || fewestPlanned(record) < MIN_TRIALS,
        answer = judged.map { it.second },
        situations = situations,
        doubts = doubtsOf(record),
        ranges = loadRanges(situations),
        source = record.plan.experiment.source,
        claims = judgeClaims(record, cells.mapKeys { it.key.name }),
    )
}

/** The situation's judgement, and its headline. */
private fun judgeSituation(record: Record, situation: Situation, cells: List<JudgedCell>): Pair<SituationJudgement, String> {
    val margin = record.plan.experiment.margin
    val fit = cells.filter { it.isFit }
    val by = if (fit.size > 1 && fit.all { it.keepsUp }) Compared.P99 else Compared.THROUGHPUT
    val baselines = record.plan.experiment.baselines
    val pairs = Compared.entries.associateWith { comparePairs(cells, margin, it, baselines) }
    val standing = if (fit.isEmpty()) null else Ranking(fit.map { it.cell }, by, pairs.getValue(by))
    val costs = pairs.getValue(Compared.CPU) + pairs.getValue(Compared.MEMORY)
    val failures = failuresOf(cells.map { it.cell })
    val beside = if (baselines.isEmpty()) null else BesideBaselines(baselines, pairs, by)
    val verdict = VerdictMaker(situation, standing, costs, margin, cells.size, failures, beside).verdict()
    val others = pairs.filterKeys { it != Compared.THROUGHPUT }.values.flatten()
    val judged = SituationJudgement(situation, verdict, cells.map { it.cell }, pairs.getValue(Compared.THROUGHPUT), others, by)
    return judged to headline(situation, verdict, standing, failures)
}

package threadgauge.judge.claim

import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.claim.Claim
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.judgement.ClaimInRun
import threadgauge.model.judgement.ClaimOverRuns
import threadgauge.model.judgement.ClaimVerdict
import threadgauge.model.judgement.Judgement

/** The claims of several runs, each with what it became: those that were asked alike are one (decision 0031). */
fun claimsOverRuns(runs: List<Pair<Record, Judgement>>): List<ClaimOverRuns> = runs
    .flatMapIndexed { index, (record, judgement) -> judgement.claims.map { askedOf(record, it.claim) to ClaimInRun(index, it) } }
    .groupBy({ (asked, _) -> asked }, { (_, inRun) -> inRun })
    .map { (_, inRuns) -> ClaimOverRuns(overRuns(inRuns.map { it.judged.verdict }), inRuns) }

/** What all gave, or else that it cannot be told. */
private fun overRuns(verdicts: List<ClaimVerdict>) = verdicts.distinct().singleOrNull() ?: ClaimVerdict.CANNOT_TELL_HERE

/**
 * What a run asked of a claim. Runs that asked the same can be taken together, whatever seed, machine or build each had: what the claim
 * says is in words, statements, and the situations that they speak of.
 */
private data class ClaimAsked(
    val experiment: String,
    /** By its name there. */
    val claim: String,
    val says: String,
    val statements: List<Statement>,
    val situations: List<Situation>,
    /** Fewer make a first look, which must not stand against a full run. */
    val trials: Int,
)

private fun askedOf(record: Record, claim: Claim): ClaimAsked {
    val experiment = record.plan.experiment
    val statements = claim.asPublished + claim.corrected
    val named = statements.flatMap { it.cells }.mapNotNull { it.situation }.toSet()
    val situations = experiment.situations.filter { it.name in named }
    return ClaimAsked(experiment.name, claim.name, claim.says, statements, situations, experiment.trials)
}

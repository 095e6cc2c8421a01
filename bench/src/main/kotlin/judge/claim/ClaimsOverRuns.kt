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

/** The claims of several runs with their verdicts. Those that were tested alike are one (decision 0031). */
fun claimsOverRuns(runs: List<Pair<Record, Judgement>>): List<ClaimOverRuns> = runs
    .flatMapIndexed { index, (record, judgement) ->
        judgement.claims.map { askedOf(record, it.claim) to ClaimInRun(index, it) }
    }
    .groupBy({ (asked, _) -> asked }, { (_, inRun) -> inRun })
    .map { (_, inRuns) -> ClaimOverRuns(overRuns(inRuns.map { it.judged.verdict }), inRuns) }

/** The verdict of all runs. Where they disagree, they cannot tell. */
private fun overRuns(verdicts: List<ClaimVerdict>) = verdicts.distinct().singleOrNull() ?: ClaimVerdict.CANNOT_TELL_HERE

/**
 * What a run tested of a claim. Runs that tested the same can be taken together, whatever seed, machine or build each
 * had: the claim's sentence, its statements, and the situations that they name.
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

package threadgauge.judge.claim

import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.claim.Claim
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.claim.ClaimInRun
import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.model.judgement.claim.ClaimVerdict

/**
 * The claims of several runs with their verdicts. Claims that were tested in the same way are merged (decision 0031).
 */
fun claimsOverRuns(runs: List<Pair<Record, Judgement>>): List<ClaimOverRuns> = runs
    .flatMapIndexed { index, (record, judgement) ->
        judgement.claims.map { askedOf(record, it.claim) to ClaimInRun(index, it) }
    }
    .groupBy({ (asked, _) -> asked }, { (_, inRun) -> inRun })
    .map { (_, inRuns) -> ClaimOverRuns(overRuns(inRuns.map { it.judged.verdict }), inRuns) }

/** The verdict over all runs: *cannot tell here* if they disagree. */
private fun overRuns(verdicts: List<ClaimVerdict>) = verdicts.distinct().singleOrNull() ?: ClaimVerdict.CANNOT_TELL_HERE

/**
 * Identity of a claim as tested: its sentence, its statements, and the situations that they name. Runs with equal
 * identities are merged, whatever their seed, machine or build.
 */
private data class ClaimAsked(
    val experiment: String,
    /** By their names in that run. */
    val claim: String,
    val says: String,
    val statements: List<Statement>,
    val situations: List<Situation>,
    /** With fewer trials a run is indicative, and does not count against a full run. */
    val trials: Int,
)

private fun askedOf(record: Record, claim: Claim): ClaimAsked {
    val experiment = record.plan.experiment
    val statements = claim.asPublished + claim.corrected
    val named = statements.flatMap { it.cells }.mapNotNull { it.situation }.toSet()
    val situations = experiment.situations.filter { it.name in named }
    return ClaimAsked(experiment.name, claim.name, claim.says, statements, situations, experiment.trials)
}

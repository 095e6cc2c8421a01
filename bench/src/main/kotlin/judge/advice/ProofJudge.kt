package threadgauge.judge.advice

import threadgauge.judge.compare.ratio
import threadgauge.model.Record
import threadgauge.model.advice.ChangeEffect
import threadgauge.model.advice.KnownChange
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Proof
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.advice.ProvenChange

/** The changes that the run of [record] carried out, each beside its prediction, in the order of the plan. */
internal fun proofsOf(record: Record, judged: List<SituationJudgement>): List<ProvenChange> {
    val asked = record.plan.advice ?: return emptyList()
    return asked.proofs.mapNotNull { proof ->
        val situation = judged.firstOrNull { it.situation.name == proof.situation } ?: return@mapNotNull null
        val change = asked.changes.firstOrNull { it.id == proof.change } ?: return@mapNotNull null
        proven(proof, change, situation, record)
    }
}

private fun proven(proof: Proof, change: KnownChange, judged: SituationJudgement, record: Record): ProvenChange {
    val measured = judged.cells.firstOrNull { it.stack == proof.stack }?.throughput
    val ratio = judged.comparisons.ratio(proof.stack, proof.base)
        ?.let { Figure(it.ratio, it.low, it.high, emptyList()) }
    return ProvenChange(
        proof, change.title, measured, ratio,
        isWithin = ratio?.let { isWithin(it.value, proof.prediction) },
        hadNoEffect = hadNoEffect(proof, change, judged, record),
    )
}

private fun isWithin(measured: Double, prediction: Prediction): Boolean {
    val most = if (prediction.isAtLeast) prediction.ratio.high else prediction.ratio.value
    val isAbove = measured > most * (1 + TOLERANCE)
    val isBelow = measured < prediction.ratio.value * (1 - TOLERANCE)
    return !isAbove && (prediction.isAtMost || !isBelow)
}

/**
 * The profile of the changed process shows a resource that is used up at its old size: it never read the setting. A
 * resource that is not used up does not show its size, so that this is no proof of an effect.
 */
private fun hadNoEffect(proof: Proof, change: KnownChange, judged: SituationJudgement, record: Record): Boolean {
    fun sizeOf(stack: String) = observed(judged, stack, record.trials, record.plan.advice!!.changes)?.let { seen ->
        networkOf(seen).run { stations + threads }.firstOrNull { it.isOf(change) }?.servers
    }
    val after = sizeOf(proof.stack) ?: return false
    if (change.effect == ChangeEffect.NoLimit) return true
    val before = sizeOf(proof.base) ?: return false
    return change.effect is ChangeEffect.Times && after <= before * SAME
}

/** Sizes that are estimated from what was seen vary by a tenth. */
private const val SAME = 1.1

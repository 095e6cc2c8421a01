package threadgauge.judge.regression

import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.compare.compared
import threadgauge.judge.compare.ratioOf
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.model.request.StepName
import threadgauge.stats.shared

/**
 * Is [new] worse than [base]? Each side is one record, or several of the same plan. A pure function of the records.
 *
 * [margin] replaces that of the base. [gates] are the figures that decide; null: the figure by which each situation's
 * verdict is given, and CPU per request. Steps of scenarios are compared by their latencies. All gated figures share
 * the confidence of 95 %, so that at most one of twenty comparisons of equal builds fails. Call trees for the causes
 * are taken from [lookup].
 */
fun compareRecords(
    base: List<Record>,
    new: List<Record>,
    margin: Double? = null,
    gates: Set<Compared>? = null,
    lookup: FlameLookup = FlameLookup.NONE,
): RecordComparison {
    val sides = RecordSides(RecordSide(base), RecordSide(new))
    val smallest = margin ?: sides.base.first.plan.experiment.margin
    val figures = sides.pairs.flatMap { pair -> figuresOf(sides, pair, gates) }
    val confidence = shared(CONFIDENCE, figures.count { it.gated })
    val changes = figures.map { it.change(smallest, confidence) }
    val doubts = comparisonDoubts(sides)
    return RecordComparison(
        base = sides.base.ids,
        new = sides.new.ids,
        margin = smallest,
        gate = gateOf(changes, sides.mismatches, doubts.any { it.validity == Validity.INVALID }),
        changes = changes,
        notCompared = sides.mismatches,
        doubts = doubts,
        causes = causeChanges(sides, lookup),
    )
}

/** A stack in a situation, by its name on each side. */
internal class CellPair(val baseStack: Stack, val newStack: Stack, val base: Situation, val new: Situation)

private class FigurePair(
    val pair: CellPair,
    val of: Compared,
    val step: StepName?,
    val gated: Boolean,
    private val sides: RecordSides,
) {
    private val base = sides.base.figure(pair.baseStack, pair.base, of, step)!!
    private val new = sides.new.figure(pair.newStack, pair.new, of, step)!!

    fun change(margin: Double, confidence: Double): Change {
        val ratio = new.first / base.first
        val compared = compared(
            pair.newStack.name, pair.baseStack.name, of, ratioOf(ratio, new.second, base.second, confidence), margin,
        )
        val validity =
            maxOf(sides.base.validity(pair.baseStack, pair.base), sides.new.validity(pair.newStack, pair.new))
        val doubts = sides.base.doubts(pair.baseStack, pair.base) + sides.new.doubts(pair.newStack, pair.new)
        return Change(
            stack = pair.baseStack.name,
            situation = pair.base.name,
            of = of,
            gated = gated,
            base = base.first,
            new = new.first,
            ratio = ratio,
            low = compared.low,
            high = compared.high,
            outcome = if (validity == Validity.INVALID) ChangeOutcome.CANNOT_TELL else outcome(compared, margin),
            validity = validity,
            doubts = doubts.map { it.id.id }.distinct(),
            trialsToTell = compared.trialsToTell,
            step = step,
        )
    }
}

private fun figuresOf(sides: RecordSides, pair: CellPair, gates: Set<Compared>?): List<FigurePair> {
    val keepsUp = sides.base.keepsUp(pair.baseStack, pair.base) && sides.new.keepsUp(pair.newStack, pair.new)
    val gated = gates ?: setOf(if (keepsUp) Compared.P99 else Compared.THROUGHPUT, Compared.CPU)
    fun has(of: Compared, step: StepName?) =
        sides.base.figure(pair.baseStack, pair.base, of, step) != null &&
            sides.new.figure(pair.newStack, pair.new, of, step) != null
    val whole = Compared.entries.filter { has(it, null) }.map { FigurePair(pair, it, null, it in gated, sides) }
    // Each more would widen the intervals of all, so steps are gated only where their figure was asked for.
    val steps = sides.base.steps(pair.baseStack, pair.base).flatMap { step ->
        Compared.entries.filter { has(it, step) }
            .map { FigurePair(pair, it, step, gates != null && it in gates, sides) }
    }
    return (whole + steps).sortedBy { !it.gated }
}

private fun outcome(compared: Comparison, margin: Double): ChangeOutcome {
    val (better, worse) = if (compared.of.moreIsBetter) ComparisonOutcome.MORE to ComparisonOutcome.LESS else
        ComparisonOutcome.LESS to ComparisonOutcome.MORE
    val low = compared.low
    val high = compared.high
    return when {
        compared.outcome == better -> ChangeOutcome.BETTER
        compared.outcome == worse -> ChangeOutcome.WORSE
        compared.outcome == ComparisonOutcome.NO_DIFFERENCE -> ChangeOutcome.SAME
        low == null || high == null -> ChangeOutcome.CANNOT_TELL
        compared.of.moreIsBetter && low >= 1 / (1 + margin) || !compared.of.moreIsBetter && high <= 1 + margin ->
            ChangeOutcome.NOT_WORSE
        else -> ChangeOutcome.CANNOT_TELL
    }
}

private fun gateOf(changes: List<Change>, mismatches: List<Mismatch>, isDoubtful: Boolean): GateResult {
    val gated = changes.filter { it.gated }
    return when {
        isDoubtful || gated.isEmpty() -> GateResult.CANNOT_TELL
        gated.any { it.outcome == ChangeOutcome.WORSE } -> GateResult.FAILED
        mismatches.isNotEmpty() || gated.any { it.outcome == ChangeOutcome.CANNOT_TELL } -> GateResult.CANNOT_TELL
        else -> GateResult.PASSED
    }
}

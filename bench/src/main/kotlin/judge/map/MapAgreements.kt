package threadgauge.judge.map

import threadgauge.model.judgement.map.BordersApart
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapAgreement
import threadgauge.model.judgement.map.MapBorder
import threadgauge.model.judgement.map.MapContradiction
import threadgauge.model.judgement.map.MapJudgement

/**
 * How far [base] and [other] agree, where both have measured the same. Null where they are of different sheets, so that
 * nothing is the same. A pure function.
 */
fun agreement(base: MapJudgement, other: MapJudgement): MapAgreement? {
    if (base.question.sheet != other.question.sheet) return null
    val fits = fitsOf(other)
    val both = fitsOf(base).filter { (at, fit) -> fit != Fit.OPEN && (fits[at] ?: Fit.OPEN) != Fit.OPEN }
    val theirs = other.borders.groupBy(::keyOf)
    val pairs = base.borders.groupBy(::keyOf).flatMap { (key, its) ->
        // A stack may fit again beyond a second border: the first is compared with the first.
        its.sortedBy { it.fromUsers }.zip(theirs[key].orEmpty().sortedBy { it.fromUsers })
    }
    return MapAgreement(
        base = base.recordId,
        other = other.recordId,
        told = both.size,
        contradictions = both.filter { (at, fit) -> fits[at] != fit }
            .map { (at, fit) -> MapContradiction(at.stack, at.work, at.users, fit == Fit.YES) },
        borders = pairs.size,
        apart = pairs.map { (a, b) -> BordersApart(a, b) }.filter { it.factor > 1 },
    )
}

private data class StackAt(val stack: String, val work: Int, val users: Int)

private fun fitsOf(map: MapJudgement): Map<StackAt, Fit> = map.places
    .flatMap { place -> place.stacks.map { StackAt(it.stack, place.work, place.users) to it.fit } }.toMap()

private fun keyOf(border: MapBorder) = Triple(border.stack, border.work, border.fitsBelow)

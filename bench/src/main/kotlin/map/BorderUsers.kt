package threadgauge.map

import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import threadgauge.model.judgement.map.Fit
import threadgauge.model.plan.MapQuestion
import threadgauge.stats.rounds.VarianceComponents

/**
 * Between which numbers of users the border of [bracket] lies, by all that was [found] in its column: where a
 * [ShareRamp] through the shares may cross [MapQuestion.enough], within the bracket. All of the bracket where shares
 * do not say it: a stack that fails requests, or too few places.
 */
fun borderUsers(question: MapQuestion, bracket: Bracket, found: List<PlaceFound>): ClosedRange<Double> {
    val whole = ln(question.users[bracket.from].toDouble())..ln(question.users[bracket.to].toDouble())
    val places = around(bracket, found)
    val level = question.enough
    if (places.any { it.fits[bracket.stack] == Fit.NO && it.shares.getValue(bracket.stack).high >= level }) {
        return exp(whole.start)..exp(whole.endInclusive)
    }
    // A ramp falls; where the stack begins to fit, it is looked at from the other end.
    val sign = if (bracket.fitsFrom) 1 else -1
    val spreads = places.mapNotNull { it.spreads[bracket.stack] }
    val points = places.mapNotNull { place ->
        val spread = place.spreads[bracket.stack] ?: return@mapNotNull null
        val share = place.shares.getValue(bracket.stack).value.coerceAtLeast(LEAST_SHARE)
        val at = sign * ln(question.users[place.at.row].toDouble())
        RampPoint(at, ln(share / level), spread.ofStudent.coerceAtLeast(LEAST_VARIANCE))
    }
    val blocks = spreads.minOfOrNull { it.blocks } ?: 1
    val together = VarianceComponents.TYPICAL_BETWEEN_BLOCKS / sqrt(blocks.toDouble())
    val ramp = ShareRamp(points, together, top = -ln(level))
    val ends = listOf(sign * whole.start, sign * whole.endInclusive).sorted()
    val crossing = ramp.crossing(ends.first()..ends.last(), spreads.sumOf { it.freedom }.toDouble())
    val (low, high) = listOf(sign * crossing.start, sign * crossing.endInclusive).sorted()
    return exp(low)..exp(high)
}

/** By how much the users of a border differ: 1.26 is a step of the grid. */
fun borderFactor(question: MapQuestion, bracket: Bracket, found: List<PlaceFound>): Double =
    borderUsers(question, bracket, found).let { it.endInclusive / it.start }

/** The places of its column between the neighbours of [bracket]: beyond them lies another border of the stack. */
private fun around(bracket: Bracket, found: List<PlaceFound>): List<PlaceFound> {
    val column = found.filter { it.at.column == bracket.column && bracket.stack in it.fits }.sortedBy { it.at.row }
    val (near, far) = if (bracket.fitsFrom) Fit.YES to Fit.NO else Fit.NO to Fit.YES
    val below = column.filter { it.at.row <= bracket.from }.takeLastWhile { it.fits[bracket.stack] != far }
    val between = column.filter { it.at.row in bracket.from + 1..<bracket.to }
    val above = column.filter { it.at.row >= bracket.to }.takeWhile { it.fits[bracket.stack] != near }
    return below + between + above
}

/** A share of zero has no logarithm. */
private const val LEAST_SHARE = 1e-3

/** No place is known better than to a thousandth. */
private const val LEAST_VARIANCE = 1e-6

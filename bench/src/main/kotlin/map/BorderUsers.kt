package threadgauge.map

import kotlin.math.exp
import kotlin.math.ln
import threadgauge.model.MapQuestion
import threadgauge.model.judgement.Estimated

/**
 * Between which numbers of users the border of [bracket] lies, by the shares that were [found] in its column. A bracket
 * of one step is what it is. In a wider one, some places are open: there the ends of the intervals say where the share
 * may cross [MapQuestion.enough], between places on a straight line of logarithms. What the share does between two
 * places is unknown, so a quarter of a step is added on both sides.
 */
fun borderUsers(question: MapQuestion, bracket: Bracket, found: List<PlaceFound>): ClosedRange<Double> {
    val whole = bracket.logUsers(question, bracket.from)..bracket.logUsers(question, bracket.to)
    if (bracket.width > 1) {
        val points = found.filter { it.at.column == bracket.column && it.at.row in bracket.from..bracket.to }
            .mapNotNull { place -> place.shares[bracket.stack]?.let { bracket.logUsers(question, place.at.row) to it } }
            .sortedBy { it.first }.let { if (bracket.fitsFrom) it else it.reversed() }
        val ends = listOf(Estimated::low, Estimated::high).mapNotNull { end ->
            crossing(points.map { (at, share) -> at to ln(end(share).coerceAtLeast(LEAST_SHARE)) }, ln(question.enough))
        }
        if (ends.size == 2) {
            val around = (whole.endInclusive - whole.start) / bracket.width / 4
            val low = (ends.min() - around).coerceIn(whole)
            return exp(low)..exp((ends.max() + around).coerceIn(whole))
        }
    }
    return exp(whole.start)..exp(whole.endInclusive)
}

private fun Bracket.logUsers(question: MapQuestion, row: Int) = ln(question.users[row].toDouble())

/** Where the line through [points] first falls below [level]; null where it does not, or begins below. */
private fun crossing(points: List<Pair<Double, Double>>, level: Double): Double? {
    val below = points.indexOfFirst { (_, value) -> value < level }
    if (below < 1) return null
    val (from, high) = points[below - 1]
    val (to, low) = points[below]
    return from + (to - from) * (high - level) / (high - low)
}

/** A share of zero has no logarithm. */
private const val LEAST_SHARE = 1e-3

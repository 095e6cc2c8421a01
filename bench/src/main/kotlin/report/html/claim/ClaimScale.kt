package threadgauge.report.html.claim

import kotlin.math.abs
import kotlin.math.ln
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Relation
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.found
import threadgauge.report.html.figure

/** What was found of a statement, in multiples of what it claims: 1 is exactly as claimed, whatever the unit. */
internal class AgainstClaim(
    val found: Double,
    val interval: ClosedFloatingPointRange<Double>,
    /** Null where nothing was published of it. */
    val published: ClosedFloatingPointRange<Double>?,
    /** Where the statement holds. */
    val holds: ClosedFloatingPointRange<Double>,
)

/** Null where nothing was found, and where the claim is of nothing at all: of that there are no multiples. */
internal fun ClaimCheck.againstClaim(margin: Double): AgainstClaim? {
    val claimed = when (val right = statement.right) {
        is Bound.Value -> right.value
        is Bound.Times -> right.factor
    }
    val figure = found ?: return null
    val low = figure.low ?: return null
    val high = figure.high ?: return null
    if (claimed <= 0.0 || figure.value <= 0.0) return null
    val published = published()?.let { it.start / claimed..it.endInclusive / claimed }
    val holds = holds(statement.relation, margin)
    return AgainstClaim(figure.value / claimed, low / claimed..high / claimed, published, holds)
}

/** In the unit of the statement: a value, or how many times the one figure is the other. */
private fun ClaimCheck.published(): ClosedFloatingPointRange<Double>? {
    val left = evidence.firstOrNull()?.published ?: return null
    if (statement.right is Bound.Value) return left.low..left.high
    val right = evidence.getOrNull(1)?.published?.takeIf { it.low > 0.0 } ?: return null
    return left.low / right.high..left.high / right.low
}

private fun holds(relation: Relation, margin: Double): ClosedFloatingPointRange<Double> = when {
    relation.isUpward -> 1.0..Double.MAX_VALUE
    relation.isDownward -> 0.0..1.0
    else -> 1 / (1 + margin)..1 + margin
}

/**
 * A scale of multiples that shows all of [figures], on which twice as much and half as much lie equally far from 1. It
 * ends at a thousandth and at a thousand times; what lies further out stands at its end.
 */
internal class ClaimScale(figures: List<AgainstClaim>, margin: Double) {
    private val from: Double
    private val to: Double

    init {
        val nearest = ln(1 + maxOf(3 * margin, MIN_SHOWN))
        val ends = figures.flatMap { figure ->
            listOfNotNull(
                figure.found, figure.interval.start, figure.interval.endInclusive,
                figure.published?.start, figure.published?.endInclusive,
            )
        }.filter { it > 0.0 }.map { ln(it) } + listOf(-nearest, nearest)
        val least = ends.min().coerceAtLeast(-FURTHEST)
        val most = ends.max().coerceAtMost(FURTHEST)
        val air = (most - least) * AIR
        from = least - air
        to = most + air
    }

    /** The place of [multiple], as a share of the scale's length. */
    fun at(multiple: Double): Double =
        if (multiple <= 0.0) 0.0 else ((ln(multiple) - from) / (to - from)).coerceIn(0.0, 1.0)

    /** Multiples to be written at the scale, rising; 1 is one of them. */
    val ticks: List<Double> = ROUND.fold(listOf(1.0)) { taken, next ->
        val hasRoom = ln(next) in from..to && taken.all { abs(at(it) - at(next)) >= ROOM }
        if (hasRoom) taken + next else taken
    }.sorted()
}

/** A twentieth more and less is always on the scale, or what does not differ at all would seem to. */
private const val MIN_SHOWN = 0.05

/** Of the natural logarithm. */
private val FURTHEST = ln(1_000.0)

/** Left free at both ends, as a share of what is between them. */
private const val AIR = 0.08

/** Between the middles of two numbers at the scale, as a share of its length, so that they do not overlap. */
private const val ROOM = 0.17

/** The first ones are taken where there is a choice. */
private val ROUND = listOf(0.1, 10.0, 0.01, 100.0, 0.001, 1000.0, 0.5, 2.0, 0.2, 5.0, 0.8, 1.25, 0.9, 1.1)

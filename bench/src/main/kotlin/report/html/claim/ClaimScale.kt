package threadgauge.report.html.claim

import kotlin.math.abs
import kotlin.math.ln
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Relation
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.found
import threadgauge.report.html.figure

/** The figures of a statement in multiples of its claim: 1 is exactly as claimed, whatever the unit. */
internal class AgainstClaim(
    val found: Double,
    val interval: ClosedFloatingPointRange<Double>,
    /** Null where no figure was published. */
    val published: ClosedFloatingPointRange<Double>?,
    /** Where the statement holds. */
    val holds: ClosedFloatingPointRange<Double>,
)

/** Null where nothing was found, and where the claim is of 0, which has no multiples. */
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

/** In the unit of the statement: a value, or the ratio of two figures. */
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
 * A logarithmic scale of multiples for all of [figures]: 2 and 1/2 are equally far from 1. It ends at 1/1,000 and at
 * 1,000; values outside it are shown at its ends.
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

    /** The position of [multiple], as a share of the scale's length. */
    fun at(multiple: Double): Double =
        if (multiple <= 0.0) 0.0 else ((ln(multiple) - from) / (to - from)).coerceIn(0.0, 1.0)

    /** The labelled multiples, ascending; 1 is one of them. */
    val ticks: List<Double> = ROUND.fold(listOf(1.0)) { taken, next ->
        val hasRoom = ln(next) in from..to && taken.all { abs(at(it) - at(next)) >= ROOM }
        if (hasRoom) taken + next else taken
    }.sorted()
}

/** The scale always covers 1/20 more and less. Otherwise tiny differences would look large. */
private const val MIN_SHOWN = 0.05

/** Of the natural logarithm. */
private val FURTHEST = ln(1_000.0)

/** Free space at both ends, as a share of the length between them. */
private const val AIR = 0.08

/** Smallest distance of two labels, as a share of the scale's length, so that they do not overlap. */
private const val ROOM = 0.17

/** Candidates for labels, the preferred ones first. */
private val ROUND = listOf(0.1, 10.0, 0.01, 100.0, 0.001, 1000.0, 0.5, 2.0, 0.2, 5.0, 0.8, 1.25, 0.9, 1.1)

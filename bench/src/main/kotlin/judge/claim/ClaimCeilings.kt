package threadgauge.judge.claim

import threadgauge.model.Record
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.stats.median

/**
 * The effect of settings on the outcome of a statement. A ceiling *acts* if it limits the side that has to be small for
 * this outcome. It *forces* the outcome if the highest throughput that it allows would have the same outcome: then no
 * server in that position could have changed it. [figures] are those of the statement's cells, [settings] the ceilings
 * that a cell reached.
 */
internal class ClaimCeilings(
    private val statement: Statement,
    private val margin: Double,
    private val figures: List<Figure>,
    private val settings: (ClaimCell) -> List<Ceiling>,
) {
    private val factor = (statement.right as? Bound.Times)?.factor ?: 1.0
    private val isOfTwo = statement.cells.size == 2
    private val left = settings(statement.left)
    private val right = statement.cells.getOrNull(1)?.let(settings).orEmpty()

    fun acting(outcome: CheckOutcome): List<Ceiling> = when (smallSide(outcome)) {
        Side.LEFT -> left
        Side.RIGHT -> right
        Side.BOTH -> (left + right).distinct().takeUnless { left.isEmpty() || right.isEmpty() && isOfTwo }.orEmpty()
        Side.NONE -> emptyList()
    }

    fun force(outcome: CheckOutcome): Boolean {
        if (acting(outcome).isEmpty()) return false
        val slack = if (statement.relation == Relation.EQUAL) 1 + margin else 1.0
        return when (smallSide(outcome)) {
            // The lowest of the bounds is the one that limits the side.
            Side.LEFT -> left.minOf { it.requestsPerSecond } * slack <= leastOfRight()
            Side.RIGHT -> right.minOf { it.requestsPerSecond } * factor * slack <= figures[0].low!!
            Side.BOTH -> true
            Side.NONE -> false
        }
    }

    /** Lower bound of the right side, in units of the left. */
    private fun leastOfRight() = when (val bound = statement.right) {
        is Bound.Value -> bound.value
        is Bound.Times -> bound.factor * figures[1].low!!
    }

    /** The side that has to be small: "at least" holds if the right side is small, and fails if the left one is. */
    private fun smallSide(outcome: CheckOutcome): Side {
        if (outcome == CheckOutcome.UNKNOWN) return Side.NONE
        val holds = outcome == CheckOutcome.HOLDS
        return when {
            statement.relation.isUpward -> if (holds) Side.RIGHT else Side.LEFT
            statement.relation.isDownward -> if (holds) Side.LEFT else Side.RIGHT
            holds -> Side.BOTH
            figures[0].value < rightValue() -> Side.LEFT
            else -> Side.RIGHT
        }
    }

    private fun rightValue() = when (val bound = statement.right) {
        is Bound.Value -> bound.value
        is Bound.Times -> bound.factor * figures[1].value
    }

    private enum class Side { LEFT, RIGHT, BOTH, NONE }
}

/** An open load is a bound, too: throughput cannot exceed the arrival rate. */
internal fun arrivals(record: Record, cell: ClaimCell): Ceiling? {
    val samples = record.trials.filter { it.stack == cell.stack }.flatMap { it.samples }
        .filter { it.situation == cell.situation }
    if (samples.isEmpty()) return null
    val perSecond = median(samples.map { it.counts.scheduled / (it.windowMillis / 1e3) })
    return Ceiling(CeilingCause.Arrivals, perSecond, reached = true)
}

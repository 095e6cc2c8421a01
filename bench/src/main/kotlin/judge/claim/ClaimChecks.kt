package threadgauge.judge.claim

import threadgauge.judge.JudgedCell
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.figure
import threadgauge.model.Record
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.claim.cells
import threadgauge.model.claim.factorText
import threadgauge.model.claim.text
import threadgauge.model.claim.words
import threadgauge.model.judgement.CheckOutcome
import threadgauge.model.judgement.ClaimCheck
import threadgauge.model.judgement.ClaimEvidence
import threadgauge.model.judgement.FAILURES
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.model.words
import threadgauge.stats.Interval
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.shared

/**
 * Holds statements against [record]. A statement holds only where the whole interval lies on the claimed side, and fails only where it
 * lies wholly on the other. [cells] are the judged ones by stack and situation.
 */
internal class ClaimChecks(private val record: Record, private val cells: Map<ClaimCell, JudgedCell>) {
    private val experiment = record.plan.experiment

    /** The statements of one reading share the confidence, so that all their intervals together hold with it. */
    fun checks(statements: List<Statement>, asPublished: Boolean): List<ClaimCheck> =
        statements.map { check(it, asPublished, shared(CONFIDENCE, statements.size)) }

    private fun check(statement: Statement, asPublished: Boolean, confidence: Double): ClaimCheck {
        val found = statement.cells.map { measured(record, statement.measure, it) }
        val evidence = statement.cells.zip(found) { cell, measured ->
            val published = experiment.published.firstOrNull { it.measure == statement.measure && it.cell == cell }
            ClaimEvidence(cell, published, measured?.figure(confidence), validity(statement.measure, cell))
        }
        fun unknown(why: String) = ClaimCheck(statement, asPublished, CheckOutcome.UNKNOWN, why, evidence = evidence)
        obstacle(statement, found)?.let { return unknown(it) }
        val measured = found.map { it!! }
        val ratio = if (measured.size == 2) measured[0].ratioTo(measured[1], confidence) else null
        val outcome = when {
            measured.size == 1 -> outcomeOfValue(statement, measured[0], measured[0].interval(confidence)!!)
            ratio == null -> return unknown("No ratio can be formed, because a figure is zero in some trial.")
            else -> outcome(statement.relation, (statement.right as Bound.Times).factor, Interval(ratio.low!!, ratio.high!!))
        }
        val bounds = ClaimCeilings(statement, experiment.margin, evidence.map { it.figure!! }) { settings(statement.measure, it) }
        val words = foundWords(statement, ratio ?: evidence[0].figure!!, outcome)
        return ClaimCheck(statement, asPublished, outcome, words, ratio, evidence, bounds.acting(outcome), bounds.force(outcome))
    }

    private fun outcomeOfValue(statement: Statement, measured: Measured, interval: Interval): CheckOutcome {
        val claimed = (statement.right as Bound.Value).value
        // "None" and "some" are about what was seen: one failure refutes the first, and not a single one the second.
        val isNothing = measured.values.all { it == 0.0 }
        if (claimed == 0.0 && statement.relation in NONE) return if (isNothing) CheckOutcome.HOLDS else CheckOutcome.FAILS
        if (claimed == 0.0 && statement.relation == Relation.MORE && isNothing) return CheckOutcome.FAILS
        return outcome(statement.relation, claimed, interval)
    }

    /** Equal means: no further apart than the experiment's margin. */
    private fun outcome(relation: Relation, claimed: Double, interval: Interval): CheckOutcome {
        val least = if (relation == Relation.EQUAL) claimed / (1 + experiment.margin) else claimed
        val most = if (relation == Relation.EQUAL) claimed * (1 + experiment.margin) else claimed
        val (holds, fails) = when (relation) {
            Relation.AT_LEAST -> (interval.low >= claimed) to (interval.high < claimed)
            Relation.MORE -> (interval.low > claimed) to (interval.high <= claimed)
            Relation.AT_MOST -> (interval.high <= claimed) to (interval.low > claimed)
            Relation.LESS -> (interval.high < claimed) to (interval.low >= claimed)
            Relation.EQUAL -> (interval.low >= least && interval.high <= most) to (interval.high < least || interval.low > most)
        }
        return if (holds) CheckOutcome.HOLDS else if (fails) CheckOutcome.FAILS else CheckOutcome.UNKNOWN
    }

    /** Why nothing can be told; null where there are figures to be looked at. */
    private fun obstacle(statement: Statement, found: List<Measured?>): String? {
        val measure = statement.measure
        if (measure.isAudited && found.any { it == null } && experiment.situations.all { it.sale == null }) {
            return "${measure.title}: nothing was sold in this experiment."
        }
        if (measure.atRest && experiment.restNanos == null) {
            return "${measure.title}: not measured, because the experiment lets no process rest; `rest: 20s` does."
        }
        for ((cell, measured) in statement.cells.zip(found)) {
            val name = listOfNotNull(cell.stack, cell.situation).joinToString(" in ")
            val why = when {
                record.plan.stacks.none { it.name == cell.stack } -> "${cell.stack} was left out of this run."
                measured == null -> "$name has no figure."
                validity(measure, cell) == Validity.INVALID -> "The figures of $name are invalid: ${invalidity(measure, cell)}."
                measured.values.size < MIN_TRIALS ->
                    "$name was measured ${times(measured.values.size)}; an interval needs $MIN_TRIALS trials."
                else -> null
            }
            if (why != null) return why
        }
        return null
    }

    /** Failures make other figures doubtful; of failures themselves they are the figure. What stands in books is not doubtful at all. */
    private fun doubts(measure: ClaimMeasure, cell: ClaimCell) = cells[cell]?.cell?.doubts.orEmpty()
        .filterNot { measure == ClaimMeasure.ERRORS && it.name == FAILURES || measure.isAudited && it.name != "not-measured" }

    private fun validity(measure: ClaimMeasure, cell: ClaimCell): Validity =
        doubts(measure, cell).maxOfOrNull { it.validity } ?: Validity.VALID

    private fun invalidity(measure: ClaimMeasure, cell: ClaimCell) =
        doubts(measure, cell).filter { it.validity == Validity.INVALID }.joinToString("; ") { it.seen }

    /** Ceilings of settings at which a cell stands. They bound throughput alone. */
    private fun settings(measure: ClaimMeasure, cell: ClaimCell) = when (measure) {
        ClaimMeasure.THROUGHPUT -> cells[cell]?.let { judged ->
            judged.cell.ceilings.filter { it.reached && it.bySetting } + listOfNotNull(arrivals(record, cell).takeIf { judged.keepsUp })
        }.orEmpty()
        else -> emptyList()
    }

    private fun foundWords(statement: Statement, figure: Figure, outcome: CheckOutcome): String {
        val isRatio = statement.right is Bound.Times
        fun text(value: Double) = if (isRatio) ratioDigits(value) else statement.measure.unit.text(value)
        val interval = if (figure.low == figure.high) "in every trial" else "(${text(figure.low!!)} to ${text(figure.high!!)})"
        val claimed = when (val right = statement.right) {
            is Bound.Value -> statement.relation.words(statement.measure, right.value)
            is Bound.Times ->
                if (right.factor == 1.0) statement.relation.asMuch else "${statement.relation.words} ${factorText(right.factor)} times"
        }
        val meaning = if (outcome == CheckOutcome.UNKNOWN) "; the interval holds values on both sides" else ""
        return "Found ${text(figure.value)}${if (isRatio) " times" else ""} $interval, claimed $claimed$meaning."
    }
}

private val NONE = setOf(Relation.EQUAL, Relation.AT_MOST)

private fun times(count: Int) = if (count == 1) "once" else "$count times"

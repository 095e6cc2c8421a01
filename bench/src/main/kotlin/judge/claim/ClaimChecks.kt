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
import threadgauge.model.doubt.DoubtId
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.stats.Interval
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.shared

/**
 * Compares statements with [record]. A statement holds only if the whole interval is on the claimed side, and fails
 * only if it is wholly on the other. [cells] are the judged ones by stack and situation.
 */
internal class ClaimChecks(private val record: Record, private val cells: Map<ClaimCell, JudgedCell>) {
    private val experiment = record.plan.experiment

    /** The statements of one reading share the confidence, so that all their intervals hold together. */
    fun checks(statements: List<Statement>, asPublished: Boolean): List<ClaimCheck> =
        statements.map { check(it, asPublished, shared(CONFIDENCE, statements.size)) }

    private fun check(statement: Statement, asPublished: Boolean, confidence: Double): ClaimCheck {
        val found = statement.cells.map { measured(record, statement.measure, it) }
        val evidence = statement.cells.zip(found) { cell, measured ->
            val published = experiment.published.firstOrNull { it.measure == statement.measure && it.cell == cell }
            ClaimEvidence(cell, published, measured?.figure(confidence), validity(statement.measure, cell))
        }
        fun unknown(why: CheckFinding) =
            ClaimCheck(statement, asPublished, CheckOutcome.UNKNOWN, why, evidence = evidence)
        obstacle(statement, found)?.let { return unknown(it) }
        val measured = found.map { it!! }
        val ratio = if (measured.size == 2) measured[0].ratioTo(measured[1], confidence) else null
        val outcome = when {
            measured.size == 1 -> outcomeOfValue(statement, measured[0], measured[0].interval(confidence)!!)
            ratio == null -> return unknown(CheckFinding.ZeroInSomeTrial)
            else -> {
                val factor = (statement.right as Bound.Times).factor
                outcome(statement.relation, factor, Interval(ratio.low!!, ratio.high!!))
            }
        }
        val figures = evidence.map { it.figure!! }
        val bounds = ClaimCeilings(statement, experiment.margin, figures) { settings(statement.measure, it) }
        return ClaimCheck(
            statement, asPublished, outcome, CheckFinding.Found, ratio, evidence,
            ceilings = bounds.acting(outcome), isForced = bounds.force(outcome),
        )
    }

    private fun outcomeOfValue(statement: Statement, measured: Measured, interval: Interval): CheckOutcome {
        val claimed = (statement.right as Bound.Value).value
        // "None" and "some" are about observations: one failure refutes the first, and no failure at all the second.
        val isNothing = measured.values.all { it == 0.0 }
        if (claimed == 0.0 && statement.relation in NONE) {
            return if (isNothing) CheckOutcome.HOLDS else CheckOutcome.FAILS
        }
        if (claimed == 0.0 && statement.relation == Relation.MORE && isNothing) return CheckOutcome.FAILS
        return outcome(statement.relation, claimed, interval)
    }

    /** Equal means: within the experiment's margin. */
    private fun outcome(relation: Relation, claimed: Double, interval: Interval): CheckOutcome {
        val least = if (relation == Relation.EQUAL) claimed / (1 + experiment.margin) else claimed
        val most = if (relation == Relation.EQUAL) claimed * (1 + experiment.margin) else claimed
        val (holds, fails) = when (relation) {
            Relation.AT_LEAST -> (interval.low >= claimed) to (interval.high < claimed)
            Relation.MORE -> (interval.low > claimed) to (interval.high <= claimed)
            Relation.AT_MOST -> (interval.high <= claimed) to (interval.low > claimed)
            Relation.LESS -> (interval.high < claimed) to (interval.low >= claimed)
            Relation.EQUAL ->
                (interval.low >= least && interval.high <= most) to (interval.high < least || interval.low > most)
        }
        return if (holds) CheckOutcome.HOLDS else if (fails) CheckOutcome.FAILS else CheckOutcome.UNKNOWN
    }

    /** Why no figure can be compared; null where all can. */
    private fun obstacle(statement: Statement, found: List<Measured?>): CheckFinding? {
        val measure = statement.measure
        val nothingIsSold = experiment.situations.all { it.sale == null }
        if (measure.isAudited && nothingIsSold && found.any { it == null }) return CheckFinding.NothingSold
        if (measure.atRest && experiment.restNanos == null) return CheckFinding.NoRest
        return statement.cells.zip(found).firstNotNullOfOrNull { (cell, measured) -> obstacle(measure, cell, measured) }
    }

    private fun obstacle(measure: ClaimMeasure, cell: ClaimCell, measured: Measured?): CheckFinding? = when {
        record.plan.stacks.none { it.name == cell.stack } -> CheckFinding.StackLeftOut(cell.stack)
        measured == null -> CheckFinding.NoFigure(cell)
        validity(measure, cell) == Validity.INVALID ->
            CheckFinding.InvalidFigures(cell, doubts(measure, cell).filter { it.validity == Validity.INVALID })
        measured.values.size < MIN_TRIALS -> CheckFinding.TooFewTrials(cell, measured.values.size, MIN_TRIALS)
        else -> null
    }

    /**
     * Failures make other figures doubtful, but they are the error rate itself. Counts from the ledger have no doubts.
     */
    private fun doubts(measure: ClaimMeasure, cell: ClaimCell) = cells[cell]?.cell?.doubts.orEmpty().filterNot {
        measure == ClaimMeasure.ERRORS && it.id == DoubtId.FAILURES || measure.isAudited &&
            it.id != DoubtId.NOT_MEASURED
    }

    private fun validity(measure: ClaimMeasure, cell: ClaimCell): Validity =
        doubts(measure, cell).maxOfOrNull { it.validity } ?: Validity.VALID

    /** Ceilings of settings that a cell reached. They apply to throughput only. */
    private fun settings(measure: ClaimMeasure, cell: ClaimCell): List<Ceiling> {
        val judged = cells[cell]
        if (measure != ClaimMeasure.THROUGHPUT || judged == null) return emptyList()
        val arrivals = arrivals(record, cell).takeIf { judged.keepsUp }
        return judged.cell.ceilings.filter { it.reached && it.bySetting } + listOfNotNull(arrivals)
    }
}

private val NONE = setOf(Relation.EQUAL, Relation.AT_MOST)

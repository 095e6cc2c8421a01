package threadgauge.judge.regression

import threadgauge.judge.JudgedCell
import threadgauge.judge.judgeCell
import threadgauge.judge.machine.spreadOf
import threadgauge.judge.scenario.stepNames
import threadgauge.model.Record
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.request.StepName
import threadgauge.stats.LogDistribution
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.median
import threadgauge.stats.spreadOf

/** One side of a comparison: a record, or several of the same plan. */
internal class RecordSide(val records: List<Record>) {
    val ids: List<String> = records.map { it.id }
    val first: Record = records.first()
    val stacks: List<Stack> = first.plan.stacks
    val situations: List<Situation> = first.plan.experiment.situations

    /**
     * There are enough records for the differences between them. Then a trial of the comparison is a record, not a
     * process.
     */
    val hasRuns: Boolean = records.size >= MIN_TRIALS

    private val cells = HashMap<Pair<String, String>, List<JudgedCell>>()

    /** The cell in each record that has it. */
    fun measured(stack: Stack, situation: Situation): List<JudgedCell> = cells.getOrPut(stack.name to situation.name) {
        records.map { judgeCell(it, stack, situation) }.filter { it.cell.trials > 0 }
    }

    fun validity(stack: Stack, situation: Situation): Validity =
        measured(stack, situation).maxOfOrNull { it.cell.validity } ?: Validity.INVALID

    fun doubts(stack: Stack, situation: Situation): List<Doubt> = measured(stack, situation).flatMap { it.cell.doubts }

    fun keepsUp(stack: Stack, situation: Situation): Boolean =
        measured(stack, situation).let { it.isNotEmpty() && it.all(JudgedCell::keepsUp) }

    /** The figure of a cell, or of a [step] in it, and its distribution; null where it was not measured, or is zero. */
    fun figure(
        stack: Stack,
        situation: Situation,
        of: Compared,
        step: StepName?,
    ): Pair<Double, LogDistribution?>? {
        val cells = measured(stack, situation).filter { (it.figure(of, step)?.value ?: 0.0) > 0 }
        val values = cells.map { it.figure(of, step)!!.value }
        return when {
            cells.isEmpty() -> null
            cells.size == 1 -> values.single() to cells.single().spread(of, step)
            hasRuns -> median(values) to spreadOf(values)
            else -> median(values) to spreadOf(cells.flatMap { it.figure(of, step)!!.values })
        }
    }

    /** Steps of its scenarios, without duplicates. */
    fun steps(stack: Stack, situation: Situation): List<StepName> =
        measured(stack, situation).flatMap { it.cell.scenarios.stepNames }.distinct()
}

package threadgauge.judge.doubt

import threadgauge.model.Environment
import threadgauge.model.doubt.Amounts
import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.CauseKind
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.doubt.DoubtfulCell
import threadgauge.model.doubt.RunDoubt
import threadgauge.model.doubt.TrialShare
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.halfWidth

/** The doubts about [situations] and [ofRun], those about the whole run, by their causes, the worst first. */
internal fun doubtCauses(
    situations: List<SituationJudgement>,
    ofRun: List<Doubt>,
    machine: Environment,
): List<DoubtCause> {
    val ofCells = situations.flatMap { judged ->
        judged.cells.flatMap { cell -> cell.doubts.map { CellDoubt(it, cell, judged.situation.name) } }
    }
    val cells = situations.flatMap { it.cells }
    val run = WholeRun(
        measurements = cells.sumOf { it.trials },
        cells = cells.size,
        stacks = cells.map { it.stack }.distinct(),
        machinePerTarget = if (machine.targetCores.isEmpty()) 1.0 else
            machine.cores.toDouble() / machine.targetCores.size,
    )
    val causes = (ofRun.map { CellDoubt(it) } + ofCells).groupBy { it.doubt.facts.cause }
        .map { (id, doubts) -> run.cause(id, doubts) to run.reach(doubts) }
    return causes
        .sortedWith(
            compareByDescending<Pair<DoubtCause, Double>> { it.first.validity }
                .thenByDescending { it.second }
                .thenBy { it.first.id },
        )
        .map { it.first }
}

/** [cell] and [situation] are null where it is about the whole run. */
private class CellDoubt(val doubt: Doubt, val cell: CellJudgement? = null, val situation: String? = null) {
    val isOfMostTrials get() = doubt.trials?.let { it.found * 2 > it.of } == true
}

private class WholeRun(
    val measurements: Int,
    val cells: Int,
    val stacks: List<String>,
    val machinePerTarget: Double,
) {
    fun cause(id: CauseId, doubts: List<CellDoubt>): DoubtCause {
        val open = doubts.filter { it.doubt.validity != Validity.VALID && !isInInterval(it) }
        val kinds = doubts.groupBy { it.doubt.facts::class }.values.sortedByDescending { share(it) }
        return DoubtCause(
            id = id,
            validity = open.maxOfOrNull { it.doubt.validity } ?: Validity.VALID,
            kinds = kinds.map { kind(it) },
            cells = open.filter { it.cell != null }.groupBy { it.situation!! to it.cell!!.stack }
                .map { (at, its) -> DoubtfulCell(at.first, at.second, its.maxOf { it.doubt.validity }) },
            hasIntervals = doubts.any { it.cell != null } && doubts.all { it.cell == null || it.cell.width != null },
            shiftsFigures = open.any { it.isOfMostTrials },
        )
    }

    private fun kind(doubts: List<CellDoubt>): CauseKind {
        val amounts = doubts.mapNotNull { it.doubt.amounts }
        val its = doubts.mapNotNull { it.cell?.stack }.toSet()
        return CauseKind(
            worst = doubts.map { it.doubt }
                .maxWith(compareBy<Doubt> { it.validity }.thenBy { it.facts.badness }).facts,
            measurements = found(doubts)?.let { TrialShare(it, measurements) },
            amounts = if (amounts.isEmpty()) null else Amounts(amounts.minOf { it.least }, amounts.maxOf { it.most }),
            stacks = if (its.size == stacks.size) emptyList() else stacks.filter { it in its },
        )
    }

    /** Share of the results that a cause is about, 0 to 1. */
    fun reach(doubts: List<CellDoubt>): Double =
        doubts.groupBy { it.doubt.facts::class }.values.maxOf { share(it) }

    /** What was at work before the run says little about the run. Other doubts about the run are about all of it. */
    private fun share(doubts: List<CellDoubt>): Double {
        val found = found(doubts)
        return when {
            doubts.all { it.doubt.facts is RunDoubt.BusyMachine } -> 0.0
            doubts.any { it.cell == null } -> 1.0
            found != null -> found.toDouble() / maxOf(1, measurements)
            else -> doubts.size.toDouble() / cells
        }
    }

    /** In how many measurements; null where the doubts are not about single ones. */
    private fun found(doubts: List<CellDoubt>): Int? =
        doubts.sumOf { (it.doubt.trials ?: return null).found }

    /**
     * A disturbance in a minority of a cell's trials makes them differ, which the interval shows, and where it can have
     * cost no more than half the width of the interval, the figure is no less certain than it looks. What disturbed
     * most trials shifts all of them, and no interval shows that.
     */
    private fun isInInterval(found: CellDoubt): Boolean {
        val most = found.doubt.amounts?.most ?: return false
        val cost = found.doubt.facts.disturbance(most, machinePerTarget) ?: return false
        val width = found.cell?.width ?: return false
        return !found.isOfMostTrials && cost <= width
    }
}

/** Of the interval of its throughput; null where there is none. */
private val CellJudgement.width: Double? get() = throughput?.halfWidth

package threadgauge.judge.history

import kotlin.math.abs
import threadgauge.model.RunState
import threadgauge.model.RunSummary
import threadgauge.model.SummarisedCell
import threadgauge.model.SummarisedFigure
import threadgauge.model.doubt.MachineName
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.History
import threadgauge.model.judgement.compare.HistoryChange
import threadgauge.model.judgement.compare.HistoryEvent
import threadgauge.model.judgement.compare.HistoryPoint
import threadgauge.model.judgement.compare.HistoryRun
import threadgauge.model.judgement.compare.HistorySeries
import threadgauge.model.judgement.compare.LeftOutReason
import threadgauge.model.judgement.compare.LeftOutRun
import threadgauge.model.judgement.compare.OddRun
import threadgauge.model.judgement.compare.SoftwarePart
import threadgauge.model.request.StepName
import threadgauge.stats.ChangePoint
import threadgauge.stats.changePoints
import threadgauge.stats.outliers
import threadgauge.stats.shared

/**
 * The history of [experiment] over [runs] of it, in any order. Its stacks and situations are those of the newest run;
 * a figure of an older run belongs to it if it was measured on the same machine under the same load. [figures] are
 * those wanted. Changes smaller than [margin] are none.
 *
 * All series share an error of 5 %: of twenty histories in which nothing ever changed, at most one has a change. Where
 * scenarios have steps, half of it is for the figures of whole cells and half for those of steps: a shop of six steps
 * has four times as many series of steps, and each step more would make it harder to see that the whole became slower.
 * Bonferroni's inequality holds for unequal shares as it does for equal ones.
 */
fun historyOf(experiment: String, runs: List<RunSummary>, figures: Set<Compared>, margin: Double): History {
    val leftOut = ArrayList<LeftOutRun>()
    val (measured, empty) = runs.filter { it.comparesSituations }.sortedWith(compareBy({ it.startedAt }, { it.id }))
        .partition { run -> run.state != RunState.RUNNING && run.situations.any { it.cells.isNotEmpty() } }
    empty.forEach { leftOut += LeftOutRun(it.id, LeftOutReason.NoFigures) }
    val newest = measured.lastOrNull()
    val kept = measured.filter { run ->
        val reason = newest?.let { run.otherThan(it) }
        if (reason != null) leftOut += LeftOutRun(run.id, reason)
        reason == null
    }
    val found = newest?.let { series(it, kept, figures) }.orEmpty()
    val (whole, steps) = found.partition { it.step == null }
    val ofWhole = each(if (steps.isEmpty()) ERROR else ERROR / 2, whole)
    val ofStep = each(ERROR / 2, steps)
    val software = softwareEvents(kept)
    val speed = speedEvents(kept, ofWhole, margin)
    return History(
        experiment,
        kept.map { HistoryRun(it.id, it.savedAs, it.startedAt) },
        found.map { it.withChanges(if (it.step == null) ofWhole else ofStep, margin, software + speed) },
        (software + speed).sortedBy { it.at },
        leftOut,
        margin,
    )
}

/** The error of one of [series], which have [error] together. */
private fun each(error: Double, series: List<HistorySeries>): Double = 1 - shared(1 - error, series.size)

private val RunSummary.machine get() = MachineName(cpu, cores)

private fun RunSummary.otherThan(newest: RunSummary): LeftOutReason? {
    if (machine != newest.machine) return LeftOutReason.OtherMachine(machine, newest.machine)
    val shares = newest.situations.any { situation ->
        situation.cells.any { cellOf(situation.name, situation.asked, it.stack) != null }
    }
    return if (shares) null else LeftOutReason.AskedOtherwise
}

private fun RunSummary.cellOf(situation: String, asked: String, stack: String): SummarisedCell? =
    situations.find { it.name == situation && it.asked == asked }?.cells?.find { it.stack == stack }

private fun series(newest: RunSummary, runs: List<RunSummary>, figures: Set<Compared>): List<HistorySeries> =
    newest.situations.flatMap { situation ->
        situation.cells.flatMap { cell ->
            val cells = runs.map { it.cellOf(situation.name, situation.asked, cell.stack) }
            val steps = listOf(null) + cell.steps.map { it.step }
            steps.flatMap { step ->
                wanted(figures, step).filter { it in cell.figuresOf(step) }.map { of ->
                    val points = cells.map { its ->
                        its?.figuresOf(step)?.get(of)?.let { HistoryPoint(it.value, it.low, it.high, its.validity) }
                    }
                    HistorySeries(situation.name, cell.stack, of, points, emptyList(), step = step)
                }
            }
        }
    }

/** With p99 the median of a step too: a step that few users reach has too few answers for its p99 to tell much. */
private fun wanted(figures: Set<Compared>, step: StepName?): List<Compared> =
    Compared.entries.filter { it in figures || step != null && it == Compared.P50 && Compared.P99 in figures }

/** Of the whole cell where [step] is null. */
private fun SummarisedCell.figuresOf(step: StepName?): Map<Compared, SummarisedFigure> =
    if (step == null) figures else steps.find { it.step == step }?.figures.orEmpty()

private fun HistorySeries.withChanges(error: Double, margin: Double, events: List<HistoryEvent>): HistorySeries {
    val usable = points.withIndex().mapNotNull { (at, point) ->
        point?.takeIf { it.validity != Validity.INVALID && it.value > 0 }?.let { at to it.value }
    }
    val changes = changePoints(usable.map { it.second }, error)
        .filter { it.isBeyond(margin) }
        .map { change ->
            val at = usable[change.at].first
            // What happened in runs without this figure may be the cause just as well.
            val since = usable[change.at - 1].first + 1
            HistoryChange(
                at, change.before, change.after, change.ratio, change.interval.low, change.interval.high,
                isBetter = of.moreIsBetter == change.ratio > 1, events = events.filter { it.at in since..at },
            )
        }
    val edges = listOf(0) + changes.map { change -> usable.indexOfFirst { it.first == change.at } } + usable.size
    val odd = edges.zipWithNext { start, end ->
        outliers(usable.subList(start, end).map { it.second }).filter { abs(it.off) >= margin }
            .map { OddRun(usable[start + it.index].first, it.off, of.moreIsBetter == it.off > 0) }
    }.flatten()
    return copy(changes = changes, odd = odd)
}

private fun softwareEvents(runs: List<RunSummary>): List<HistoryEvent> {
    val parts = mapOf<SoftwarePart, (RunSummary) -> String>(
        SoftwarePart.JAVA to { it.java },
        SoftwarePart.KERNEL to { it.kernel },
        SoftwarePart.THREADGAUGE to { it.threadgauge },
    )
    return parts.flatMap { (part, of) ->
        (1 until runs.size).filter { of(runs[it]) != of(runs[it - 1]) }
            .map { HistoryEvent.Software(it, part, of(runs[it - 1]), of(runs[it])) }
    }
}

/** The load agent and its internal server are the same in every run, so what changes there is the machine. */
private fun speedEvents(runs: List<RunSummary>, error: Double, margin: Double): List<HistoryEvent> {
    val speeds = runs.withIndex().mapNotNull { (at, run) ->
        run.agentPerSecond?.takeIf { it > 0 }?.let { at to it }
    }
    return changePoints(speeds.map { it.second }, error).filter { it.isBeyond(margin) }
        .map { HistoryEvent.MachineSpeed(speeds[it.at].first, it.ratio) }
}

private fun ChangePoint.isBeyond(margin: Double) = ratio >= 1 + margin || ratio <= 1 / (1 + margin)

private const val ERROR = 0.05

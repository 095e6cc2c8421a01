package threadgauge.judge

import threadgauge.model.CellJudgement
import threadgauge.model.Comparison
import threadgauge.model.ComparisonOutcome.LESS
import threadgauge.model.Situation
import threadgauge.model.Verdict
import threadgauge.stats.FEWEST_REPEATS
import java.util.Locale

/**
 * The verdict on one situation. The most throughput decides, if by more than the margin; where it does not, the cost in CPU is
 * told. [standing] is null where no cell has a valid figure; [byCpu] holds every pair of cells that are not invalid.
 */
internal class VerdictMaker(
    private val situation: Situation,
    private val standing: Standing?,
    private val byCpu: List<Comparison>,
    private val margin: Double,
    /** Stacks that were to be measured, whatever became of them. */
    private val planned: Int,
) {
    private val opening = "For requests that ${situation.words}, "

    fun verdict(): Verdict = when {
        standing == null -> Verdict.CannotTell("${opening}this run cannot tell: no stack has a valid figure.")
        planned == 1 -> Verdict.Alone("$opening${aloneSentence(standing.top)}.")
        standing.fit.minOf { it.repeats } < FEWEST_REPEATS -> standing.indicative()
        standing.fit.size == 1 ->
            Verdict.CannotTell("${opening}only ${standing.top.stack} has a valid figure, so there is nothing to compare.")
        else -> standing.compared()
    }

    private fun Standing.compared(): Verdict = when {
        isDecidedBySetting -> bySetting()
        behind.isEmpty() && leadersAlike -> Verdict.NoDifference(
            "${opening}there is no difference in throughput: all stay within ${percent(margin)} of each other.${cpuSentence(fit)}",
        )
        behind.isEmpty() -> Verdict.CannotTell(
            "${opening}this run cannot tell which serves most: the intervals overlap. More repeats would narrow them." +
                cpuSentence(fit),
        )
        else -> Verdict.Fits(leaders.map { it.stack }, opening + leadersSentence() + cpuSentence(fit))
    }

    private fun Standing.leadersSentence(): String {
        val ratios = behind.joinToString(", ") { "${ratioText(ratioToTop(it))} of ${it.stack}" }
        val others = when {
            level.isEmpty() -> ""
            leadersAlike -> " ${names(level)} ${verb(level, "serves", "serve")} the same."
            else -> " ${names(level)} could not be told apart from it."
        }
        return "${top.stack} serves most: $ratios.$others"
    }

    private fun Standing.bySetting(): Verdict {
        val together = if (leaders.size == 1) "${leaders.single().stack} serves most" else when {
            leadersAlike -> "${names(leaders)} serve the same"
            else -> "${names(leaders)} could not be told apart"
        }
        val less = if (behind.isEmpty()) "" else ", ${names(behind)} less"
        val ceilings = fit.flatMap { cell -> cell.ceilings.filter { it.reached }.map { it.words to cell } }
            .groupBy({ it.first to whole(it.second.ceilings.first { c -> c.words == it.first }.requestsPerSecond) }, { it.second })
            .entries.joinToString("; ") { (bound, held) -> "${names(held)} at the ceiling of ${bound.first} = ${bound.second}/s" }
        return Verdict.DecidedBySetting(
            leaders.map { it.stack },
            "${opening}the settings decide: $together$less. Held by a setting: $ceilings.${cpuSentence(fit)}",
        )
    }

    private fun Standing.indicative(): Verdict {
        val figures = fit.joinToString(", ") { "${it.stack} ${whole(it.throughput!!.median)}/s" }
        val ceiling = if (held.isEmpty()) "" else {
            val words = held.map { cell -> cell.ceilings.first { it.reached } }.distinctBy { it.words }
                .joinToString("; ") { "${it.words} = ${whole(it.requestsPerSecond)}/s" }
            " ${names(held)} ${verb(held, "stands", "stand")} at a ceiling that a setting makes ($words)."
        }
        return Verdict.Indicative("$opening$figures. Too few repeats to name a winner.$ceiling")
    }

    /** The stack that needs least CPU per request, where that can be told from every other stack. */
    private fun cpuSentence(among: List<CellJudgement>): String {
        val measured = among.filter { it.cpuMicrosPerRequest != null }
        val least = measured.minByOrNull { it.cpuMicrosPerRequest!!.median } ?: return ""
        val others = measured - least
        if (others.isEmpty() || !others.all { byCpu.between(least.stack, it.stack) == LESS }) return ""
        val next = others.minBy { it.cpuMicrosPerRequest!!.median }
        return " Least CPU per request: ${least.stack} with ${micros(least)}, then ${next.stack} with ${micros(next)}."
    }

    private fun micros(cell: CellJudgement) = "${whole(cell.cpuMicrosPerRequest!!.median)} µs"
}

/** "shop serves 1,200/s (1,100 to 1,300), 99 of 100 requests within 12 ms". */
internal fun aloneSentence(cell: CellJudgement): String {
    val rate = cell.throughput!!
    val range = if (rate.low == null || rate.high == null) "" else " (${whole(rate.low)} to ${whole(rate.high)})"
    val latency = cell.p99Millis?.let { ", 99 of 100 requests within %s ms".format(Locale.ROOT, threeDigits(it.median)) }.orEmpty()
    return "${cell.stack} serves ${whole(rate.median)}/s$range$latency"
}

private fun threeDigits(value: Double) = if (value >= 100) whole(value) else "%.${if (value >= 10) 1 else 2}f".format(Locale.ROOT, value)

internal fun ratioText(comparison: Comparison): String {
    val range = if (comparison.low == null || comparison.high == null) "" else " (%.2f to %.2f)".format(comparison.low, comparison.high)
    return "%.2f times%s that".format(comparison.ratio, range)
}

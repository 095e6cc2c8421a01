package threadgauge.judge.verdict

import java.util.Locale
import threadgauge.judge.compare.between
import threadgauge.judge.figure
import threadgauge.model.Situation
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome.LESS
import threadgauge.model.judgement.Verdict
import threadgauge.stats.MIN_TRIALS
import threadgauge.wording.MAX_NAMED
import threadgauge.wording.digits
import threadgauge.wording.percent
import threadgauge.wording.whole

/**
 * The verdict on one situation. The most throughput decides, if by more than the margin; where all serve the whole of a load that has
 * a rate of its own, the shortest p99 latency does. The cost in CPU and memory is told besides. [standing] is null where no
 * cell has a valid figure; [costs] holds every pair of cells that are not invalid.
 */
internal class VerdictMaker(
    private val situation: Situation,
    private val standing: Ranking?,
    private val costs: List<Comparison>,
    private val margin: Double,
    /** Stacks that were to be measured, whatever became of them. */
    private val planned: Int,
    /** Who failed too many requests, as [failuresOf] says it. */
    private val failures: String?,
    /** Null where every pair of cells was compared. */
    private val beside: BesideBaselines? = null,
) {
    private val opening = "For requests that ${situation.words}, "
    private val ending = if (failures == null) "" else " $failures."

    fun verdict(): Verdict = when {
        standing == null -> Verdict.CannotTell("${opening}this run cannot tell: no stack has a valid figure.$ending")
        planned == 1 -> Verdict.Alone("$opening${aloneSentence(standing.top)}.")
        standing.fit.minOf { it.trials } < MIN_TRIALS -> standing.indicative()
        beside != null -> Verdict.BesideBaselines("$opening${beside.words}.${standing.heldWords()}$ending", beside.inShort)
        standing.fit.size == 1 ->
            Verdict.CannotTell("${opening}only ${standing.top.stack} has a valid figure, so there is nothing to compare.$ending")
        else -> standing.compared()
    }

    private fun Ranking.compared(): Verdict = when {
        isDecidedBySetting -> bySetting()
        behind.isEmpty() && leadersAlike -> Verdict.NoDifference(
            "${opening}${words.none}: all stay within ${percent(margin)} of each other.${endSentences(fit)}",
        )
        behind.isEmpty() -> Verdict.CannotTell(
            "${opening}${words.untold}: the intervals overlap. ${neededToTell()}${endSentences(fit)}",
        )
        else -> Verdict.Fits(leaders.map { it.stack }, opening + leadersSentence() + endSentences(fit))
    }

    private fun Ranking.leadersSentence(): String {
        val told = if (behind.size > MAX_NAMED) listOf(behind.first(), behind.last()) else behind
        val between = if (told.size == behind.size) "" else ", with ${behind.size - told.size} others between"
        val ratios = told.joinToString(", ") { words.lead(ratioText(lead(it)), it.stack) } + between
        val others = when {
            level.isEmpty() -> ""
            leadersAlike -> " ${names(level)} ${words.alike(level)}."
            else -> " ${names(level)} could not be told apart from it. ${neededToTell()}"
        }
        return "${words.leads(top.stack)}: $ratios.$others"
    }

    private fun Ranking.neededToTell() = when (val enough = trialsToTell) {
        null -> NOT_BY_REPEATS
        else -> "About $enough trials of each would tell, if they vary as these did."
    }

    private fun Ranking.bySetting(): Verdict {
        val together = if (leaders.size == 1) "${leaders.single().stack} serves most" else when {
            leadersAlike -> "${names(leaders)} serve the same"
            else -> "${names(leaders)} could not be told apart"
        }
        val less = if (behind.isEmpty()) "" else ", ${names(behind)} less"
        val ceilings = held.groupBy { it.settingThatHolds!!.let { bound -> "${bound.words} = ${digits(bound.requestsPerSecond)}/s" } }
            .entries.joinToString("; ") { (bound, held) -> "${names(held)} at the ceiling of $bound" }
        return Verdict.DecidedBySetting(
            leaders.map { it.stack },
            "${opening}the settings decide: $together$less. Held by a setting: $ceilings.${endSentences(fit)}",
        )
    }

    private fun Ranking.indicative() =
        Verdict.Indicative("$opening${figuresInWords()}. Too few trials to name a winner.${heldWords()}$ending")

    private fun Ranking.heldWords(): String {
        if (held.isEmpty()) return ""
        val words = held.mapNotNull { it.settingThatHolds }.distinctBy { it.words }
            .joinToString("; ") { "${it.words} = ${digits(it.requestsPerSecond)}/s" }
        return " ${names(held)} ${verb(held, "stands", "stand")} at a ceiling that a setting makes ($words)."
    }

    private fun endSentences(among: List<CellJudgement>) =
        ending + least(among, Compared.CPU, "Least CPU per request") { "${whole(it)} µs" } +
            least(among, Compared.MEMORY, "Least memory") { "${whole(it)} MB" }

    /** The stack that needs least, where that can be told from every other stack. */
    private fun least(among: List<CellJudgement>, of: Compared, title: String, text: (Double) -> String): String {
        val measured = among.filter { (it.figure(of)?.value ?: 0.0) > 0 }.sortedBy { it.figure(of)!!.value }
        val least = measured.firstOrNull() ?: return ""
        val others = measured.drop(1)
        val comparisons = costs.filter { it.of == of }
        if (others.isEmpty() || !others.all { comparisons.between(least.stack, it.stack) == LESS }) return ""
        val next = others.first()
        return " $title: ${least.stack} with ${text(least.figure(of)!!.value)}, then ${next.stack} with ${text(next.figure(of)!!.value)}."
    }

    private val Ranking.words: StandingWords get() = if (by == Compared.THROUGHPUT) ThroughputWords else LatencyWords
}

/** "shop serves 1,200/s (1,100 to 1,300), 99 of 100 requests within 12 ms". */
internal fun aloneSentence(cell: CellJudgement): String {
    val rate = cell.throughput!!
    val range = if (rate.low == null || rate.high == null) "" else " (${digits(rate.low)} to ${digits(rate.high)})"
    val latency = cell.p99Millis?.let { ", 99 of 100 requests within ${digits(it.value)} ms" }.orEmpty()
    return "${cell.stack} serves ${digits(rate.value)}/s$range$latency"
}

/** "1.83 times (1.46 to 2.25)", "18.3 times (14.6 to 22.5)", "183 times (146 to 225)". */
internal fun ratioText(comparison: Comparison): String {
    fun text(value: Double) = when {
        comparison.ratio >= 100 -> whole(value)
        else -> (if (comparison.ratio >= 10) "%.1f" else "%.2f").format(Locale.ROOT, value)
    }
    val low = comparison.low
    val high = comparison.high
    val range = if (low == null || high == null) "" else " (${text(low)} to ${text(high)})"
    return "${text(comparison.ratio)} times$range"
}

package threadgauge.wording.verdict

import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Cheapest
import threadgauge.model.judgement.FailingStack
import threadgauge.model.judgement.Ranking
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.wording.MAX_NAMED
import threadgauge.wording.counted
import threadgauge.wording.digits
import threadgauge.wording.equation
import threadgauge.wording.listed
import threadgauge.wording.percent
import threadgauge.wording.plainPercent
import threadgauge.wording.ranked
import threadgauge.wording.whole

/** The verdict in one or a few sentences: "For requests that …". */
internal fun SituationJudgement.verdictWords(): String = "For requests that ${situation.words}, ${mainClause()}"

/** The same below a heading that says what the requests do. A sentence may begin with the name of a stack. */
internal fun SituationJudgement.verdictBelowHeading(): String {
    val words = mainClause()
    return if (cells.any { words.startsWith(it.stack) }) words else words.replaceFirstChar { it.uppercase() }
}

private fun SituationJudgement.mainClause(): String {
    val ending = failing.words()?.let { " $it." }.orEmpty()
    return when (val verdict = verdict) {
        is Verdict.Fits -> leadersSentence(verdict.ranking) + ending + costs()
        is Verdict.NoDifference -> {
            val noDifference = verdict.ranking.words.noDifference
            "$noDifference: all stay within ${plainPercent(margin)} of each other.$ending${costs()}"
        }
        is Verdict.DecidedBySetting -> bySetting(verdict.ranking) + ending + costs()
        is Verdict.CannotTell -> why(verdict.reason, ending)
        is Verdict.BesideBaselines -> "${baselineWords(verdict)}.${heldSentence(verdict.ranking)}$ending"
        is Verdict.Alone -> "${aloneSentence(cell(verdict.stack))}."
        is Verdict.Indicative ->
            "${figuresInWords(verdict.ranking)}. Too few trials to name a " +
                "winner.${heldSentence(verdict.ranking)}$ending"
    }
}

private fun SituationJudgement.why(reason: CannotTellReason, ending: String): String = when (reason) {
    CannotTellReason.NoValidFigure -> "${withoutFigures()}.$ending"
    is CannotTellReason.OnlyOne -> "only ${reason.stack} has a valid figure, so there is nothing to compare.$ending"
    is CannotTellReason.Overlap -> reason.ranking.let {
        "${it.words.cannotTell}: the intervals overlap. ${it.neededToTell()}$ending${costs()}"
    }
}

private fun leadersSentence(ranking: Ranking): String {
    val behind = ranking.behind
    val named = if (behind.size > MAX_NAMED) listOf(behind.first(), behind.last()) else behind
    val hidden = (behind.size - named.size).toLong()
    val between = if (hidden == 0L) "" else ", with ${counted(hidden, "other")} between"
    val ratios = named.joinToString(", ") { ranking.words.lead(ratioText(it), it.stack) } + between
    val level = ranking.level
    val others = when {
        level.isEmpty() -> ""
        ranking.leadersAlike -> " ${listed(level)} ${ranking.words.alike(level)}."
        else -> " ${listed(level)} cannot be told apart from ${ranking.top}. ${ranking.neededToTell()}"
    }
    return "${ranking.words.leads(ranking.top)}: $ratios.$others"
}

private fun bySetting(ranking: Ranking): String {
    val leaders = ranking.leaders
    val together = when {
        leaders.size == 1 -> "${leaders.single()} has the highest throughput"
        ranking.leadersAlike -> "${listed(leaders)} have the same throughput"
        else -> "${listed(leaders)} cannot be told apart"
    }
    val behind = ranking.behind.map { it.stack }
    val lower = if (behind.isEmpty()) "" else "; the throughput of ${listed(behind)} is lower"
    val ceilings = ranking.held.groupBy { it.ceiling.equation() }.entries
        .map { (equation, held) -> "$equation for ${listed(held.map { it.stack })}" }
    val limits = if (ceilings.size == 1) "a limit, not the model, sets" else "limits, not the models, set"
    return "$limits this result: ${ceilings.joinToString("; ")}. $together$lower."
}

private fun heldSentence(ranking: Ranking): String {
    val held = ranking.held.map { it.stack }
    if (held.isEmpty()) return ""
    val equations = ranking.held.map { it.ceiling }.distinctBy { it.cause }.joinToString("; ") { it.equation() }
    return " A limit, not the model, sets the throughput of ${listed(held)}: $equations."
}

private fun SituationJudgement.costs(): String =
    leastCpu.sentence("Least CPU per request") { "${whole(it)} µs" } +
        leastMemory.sentence("Least memory") { "${whole(it)} MB" }

private fun Cheapest?.sentence(title: String, text: (Double) -> String): String =
    if (this == null) "" else " $title: $stack with ${text(value)}, then $next with ${text(nextValue)}."

/** "b 20/s, a 10/s", the highest first. */
internal fun SituationJudgement.figuresInWords(ranking: Ranking): String =
    ranked(ranking.order.map(::cell), ::rate) { "${it.stack} ${rate(it)}" }

private fun rate(cell: CellJudgement) = "${digits(cell.throughput!!.value)}/s"

internal fun SituationJudgement.cell(stack: String): CellJudgement = cells.first { it.stack == stack }

/** "shop serves 1,200/s (1,100 to 1,300), p99 12 ms". */
internal fun aloneSentence(cell: CellJudgement): String {
    val rate = cell.throughput!!
    val (low, high) = rate.low to rate.high
    val range = if (low == null || high == null) "" else " (${digits(low)} to ${digits(high)})"
    val latency = cell.p99Millis?.let { ", p99 ${digits(it.value)} ms" }.orEmpty()
    return "${cell.stack} serves ${digits(rate.value)}/s$range$latency"
}

/** "b failed 67 % of its requests, a 44 %"; null where no stack failed too many. */
internal fun List<FailingStack>.words(): String? {
    val worst = firstOrNull() ?: return null
    return ranked(this, { percent(it.share) }) {
        if (it === worst) "${it.stack} failed ${percent(it.share)} of its requests" else
            "${it.stack} ${percent(it.share)}"
    }
}

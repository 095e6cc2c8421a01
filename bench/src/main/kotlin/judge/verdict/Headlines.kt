package threadgauge.judge.verdict

import java.util.Locale
import threadgauge.model.Situation
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Verdict
import threadgauge.wording.digits
import threadgauge.wording.ranked
import threadgauge.wording.whole

/**
 * [verdict] in one sentence, for the first thing that a reader sees; [standing] is null where nothing could be compared, [failures] where
 * nobody failed too many requests.
 */
internal fun headline(situation: Situation, verdict: Verdict, standing: Ranking?, failures: String?): String =
    "For requests that ${situation.words}, " + when (verdict) {
        is Verdict.Fits -> standing!!.leadInOneLine()
        is Verdict.DecidedBySetting -> standing!!.settingInOneLine()
        is Verdict.NoDifference -> "there is no difference in " + standing!!.by.words
        is Verdict.CannotTell -> "this run cannot tell which fits"
        is Verdict.BesideBaselines -> verdict.inShort
        is Verdict.Alone -> aloneSentence(standing!!.top)
        is Verdict.Indicative -> "a first look, without a winner: " + standing!!.figuresInWords()
    } + failures?.let { "; $it" }.orEmpty() + "."

private fun Ranking.leadInOneLine(): String {
    val ratios = behind.map { timesInOneLine(lead(it).ratio) }
    val times = if (ratios.toSet().size == 1) ratios.first() else "${ratios.first()} to ${ratios.last()}"
    val others = if (level.isEmpty()) "" else if (leadersAlike) "; so ${verb(level, "does", "do")} ${names(level)}" else
        "; ${names(level)} cannot be told apart from it"
    return when (by) {
        Compared.THROUGHPUT -> "${top.stack} serves $times times as much as ${names(behind)}$others"
        else -> "all serve the whole load, and ${names(behind)} ${verb(behind, "takes", "take")} $times times as long as " +
            "${top.stack} (p99)$others"
    }
}

/** "b 20/s, a 10/s", the most first. */
internal fun Ranking.figuresInWords() = ranked(fit, ::rate) { "${it.stack} ${rate(it)}" }

private fun Ranking.settingInOneLine(): String {
    val free = leaders.filter { it !in held }
    val most = when {
        free.isEmpty() -> ""
        top in free -> "; ${names(free)} ${verb(free, "serves", "serve")} most"
        leadersAlike -> "; ${names(free)} ${verb(free, "serves", "serve")} as much as ${top.stack}"
        else -> "; ${names(free)} cannot be told apart from ${top.stack}"
    }
    val bounds = held.groupBy { it.settingThatHolds!!.requestsPerSecond }.entries
        .joinToString(", ") { (bound, cells) -> "${names(cells)} at ${digits(bound)}/s" }
    return "a setting decides: it holds $bounds$most"
}

private fun timesInOneLine(ratio: Double) = when {
    ratio >= 100 -> whole(ratio)
    ratio < 1.15 -> "%.2f".format(Locale.ROOT, ratio)
    else -> "%.1f".format(Locale.ROOT, ratio)
}

private fun rate(cell: CellJudgement) = "${digits(cell.throughput!!.value)}/s"

package threadgauge.wording.verdict

import java.util.Locale
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Ranking
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.model.judgement.ranking
import threadgauge.wording.digits
import threadgauge.wording.equation
import threadgauge.wording.listed
import threadgauge.wording.whole
import threadgauge.wording.words

/** The answer to the experiment's question: one sentence for each situation. */
internal val Judgement.answer: List<String> get() = situations.map { it.headline() }

/** The verdict in one sentence, for the top of a report. */
internal fun SituationJudgement.headline(): String {
    val ranking = verdict.ranking
    val short = when (val verdict = verdict) {
        is Verdict.Fits -> verdict.ranking.leadInOneLine()
        is Verdict.DecidedBySetting -> verdict.ranking.settingInOneLine()
        is Verdict.NoDifference -> "there is no difference in " + verdict.ranking.by.words
        is Verdict.CannotTell -> cannotTellInShort(verdict.reason)
        is Verdict.BesideBaselines -> baselinesInShort(verdict)
        is Verdict.Alone -> aloneSentence(cell(verdict.stack))
        is Verdict.Indicative -> "too few trials to name a winner: " + figuresInWords(ranking!!)
    }
    return "For requests that ${situation.words}, $short${failing.words()?.let { "; $it" }.orEmpty()}."
}

private fun SituationJudgement.cannotTellInShort(reason: CannotTellReason): String = when (reason) {
    CannotTellReason.NoValidFigure -> withoutFigures()
    is CannotTellReason.OnlyOne -> "only ${reason.stack} has a valid figure"
    is CannotTellReason.Overlap -> "this run cannot tell which stack fits"
}

/** Nothing was measured, or nothing of it is valid. */
internal fun SituationJudgement.withoutFigures(): String {
    val single = cells.singleOrNull()?.stack
    return when {
        cells.all { it.trials == 0 } -> if (single == null) "no stack was measured" else "$single was not measured"
        else -> if (single == null) "no stack has a valid figure" else "the figures of $single are not valid"
    }
}

private fun Ranking.leadInOneLine(): String {
    val ratios = behind.map { timesInOneLine(it.ratio) }
    val times = if (ratios.toSet().size == 1) ratios.first() else "${ratios.first()} to ${ratios.last()}"
    val slower = behind.map { it.stack }
    val others = when {
        level.isEmpty() -> ""
        leadersAlike -> "; ${listed(level)} ${verb(level, "has", "have")} the same ${by.words}"
        else -> "; ${listed(level)} cannot be told apart from $top"
    }
    return when (by) {
        Compared.THROUGHPUT -> "$top has $times times the throughput of ${listed(slower)}$others"
        else -> "all serve the whole load, and the ${by.words} of ${listed(slower)} is $times times that of " +
            "$top$others"
    }
}

private fun Ranking.settingInOneLine(): String {
    val heldStacks = held.map { it.stack }
    val free = leaders.filter { it !in heldStacks }
    val most = when {
        free.isEmpty() -> ""
        top in free -> "; ${listed(free)} ${verb(free, "has", "have")} the highest throughput"
        leadersAlike -> "; ${listed(free)} ${verb(free, "has", "have")} the same throughput as $top"
        else -> "; ${listed(free)} cannot be told apart from $top"
    }
    val equation = held.map { it.ceiling.equation() }.distinct().singleOrNull()
    if (equation != null) return "a limit, not the model, sets this result: $equation for ${listed(heldStacks)}$most"
    val bounds = held.groupBy { it.ceiling.requestsPerSecond }.entries
        .joinToString(", ") { (bound, held) -> "${digits(bound)}/s for ${listed(held.map { it.stack })}" }
    return "limits, not the models, set this result: $bounds$most"
}

private fun timesInOneLine(ratio: Double) = when {
    ratio >= 100 -> whole(ratio)
    ratio < 1.15 -> "%.2f".format(Locale.ROOT, ratio)
    else -> "%.1f".format(Locale.ROOT, ratio)
}
